"""What posts link to and are made from, and which of those pages are outdated."""

from __future__ import annotations

import pytest
from flask import Flask

from app.content.model import BlogPost
from app.content.posts.keyword_coverage import refresh_due_coverage
from app.content.posts.page_links import refresh_page_states
from app.content.posts.page_uses import count_unlinked, link_map, linked_pages, unlinked_pages, uses_of
from app.content.posts.service import edit_post
from app.content.posts.source_pages import source_hashes
from app.infra.db import db
from app.pages.model import Page, PageContent
from app.pages.service import add_page
from app.projects.model import Project
from app.projects.service import schedule_coverage
from tests.support.plans import listening
from tests.support.publishing import alice_project, post_of

LINKS = (
    "Read about [pads](https://alice.example/pads?utm_source=x#top) and [elsewhere](https://other.example/)."
)


@pytest.fixture
def project(db_app: Flask) -> Project:
    return alice_project()


def a_page(project: Project, path: str) -> Page:
    content = f"# {path}\n\nSome words about {path}."
    return add_page(project, {"url": f"https://alice.example/{path}", "content": content}).page


def recounted(project: Project, post: BlogPost) -> tuple[int | None, int]:
    """The post's (stale links, changed sources) after the periodic count."""
    schedule_coverage(project.id)
    db.session.commit()
    refresh_due_coverage(10)
    db.session.refresh(post)
    return post.stale_links, post.changed_sources


def test_links_to_pages_are_counted_by_page_and_the_others_found(project: Project) -> None:
    pads, chains = a_page(project, "pads"), a_page(project, "chains")
    post = post_of(project, content=LINKS)
    recounted(project, post)
    assert [(use.post_id, use.is_linked, use.is_source) for use in uses_of(pads, 9)] == [
        (post.id, True, False)
    ]
    rows, total = linked_pages(project, 1, 25)
    assert ([(row.page.id, row.posts) for row in rows], total) == ([(pads.id, 1)], 1)
    assert count_unlinked(project) == 1
    assert [page.id for page in unlinked_pages(project, "", 1, 25)[0]] == [chains.id]
    assert unlinked_pages(project, "pads", 1, 25) == ([], 0)
    found = link_map(project, 3)
    assert found is not None
    assert found.links == [(post.id, pads.id)]
    assert link_map(project, 2) is None


def test_an_edit_changes_the_links_at_once(project: Project) -> None:
    pads = a_page(project, "pads")
    post = post_of(project, content=LINKS)
    recounted(project, post)
    edit_post(post, post.version, {"content": "Nothing links here."})
    assert uses_of(pads, 9) == []


@pytest.mark.parametrize("database_kind", ["sqlite"])
def test_a_count_that_changes_nothing_waits_for_no_writer(project: Project) -> None:
    recounted(project, post_of(project, content=LINKS))
    project_id = project.id
    db.session.commit()
    with listening(db.engine) as heard:
        refresh_page_states(project_id)
    statements = [text for text, _ in heard]
    assert any("FROM blog_posts" in each for each in statements)
    assert "BEGIN IMMEDIATE" not in statements


def test_a_source_with_a_campaign_in_its_own_address_is_no_changed_source(project: Project) -> None:
    pads = a_page(project, "pads?utm_source=newsletter")
    source = {"page_id": pads.id, "url": pads.url, "title": "Pads"}
    post = post_of(project, content="Pads.", sources=[source], source_hashes=source_hashes([pads.id]))
    assert recounted(project, post) == (0, 0)


def test_a_page_that_turns_stale_or_changes_makes_its_posts_outdated_until_it_is_back(
    project: Project,
) -> None:
    pads = a_page(project, "pads")
    source = {"page_id": pads.id, "url": pads.url, "title": "Pads"}
    hashes = source_hashes([pads.id])
    post = post_of(project, content=LINKS, sources=[source], source_hashes=hashes)
    assert recounted(project, post) == (0, 0)
    changed = post.updated_at
    pads.is_stale = True
    assert recounted(project, post) == (1, 1)
    pads.is_stale = False
    db.session.get_one(PageContent, pads.id).content_hash = "changed"
    assert recounted(project, post) == (0, 1)
    db.session.get_one(PageContent, pads.id).content_hash = hashes[str(pads.id)]
    assert recounted(project, post) == (0, 0)
    assert post.updated_at == changed
