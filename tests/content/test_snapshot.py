"""Which pages a post may be made from, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.content.artefacts import SourceSnapshot
from app.content.evidence.snapshot import newest_articles
from app.content.rendering.sections import endings_of
from app.content.retrieval import page_choice
from app.content.retrieval.page_choice import SourceQuery, collect_snapshot
from app.failures import failure
from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import PageContent
from app.projects.model import Project
from tests.support.bees import page_at, store
from tests.support.publishing import post_of

DAYS = ("Monday", "Tuesday", "Wednesday", "Friday")


@pytest.fixture
def project_id(db_app: Flask, bees: SourceSnapshot) -> int:
    return store(bees)


def collected(project_id: int, subject: str = "", page_ids: tuple[int, ...] = ()) -> SourceSnapshot:
    db.session.rollback()
    return collect_snapshot(project_id, SourceQuery(subject, "en", page_ids=page_ids))


def paths(found: SourceSnapshot) -> list[str]:
    return [page.url.rpartition("/")[2] for page in found.pages]


def change(project_id: int, path: str, **values: Any) -> int:
    page = page_at(project_id, path)
    for name, value in values.items():
        setattr(page, name, value)
    db.session.commit()
    return page.id


def test_every_live_page_is_collected_as_it_was_read(project_id: int, bees: SourceSnapshot) -> None:
    found = collected(project_id)
    assert paths(found) == ["hives", "care", "faq"]
    assert [page.blocks for page in found.pages] == [page.blocks for page in bees.pages]
    first = found.pages[0]
    assert first.title == "hives | Bees"
    assert (found.project_name, found.project_url, found.language) == (
        "Bee School",
        "https://bees.example/",
        "en",
    )


@pytest.mark.parametrize(
    "values",
    [
        {"is_stale": True, "stale_since": utc_now()},
        {"noindex": True},
        {"canonical_url": "https://bees.example/hives"},
        {"fetch_error": failure("PAGE_UNREACHABLE").to_dict()},
    ],
    ids=["stale", "noindex", "foreign-canonical", "error"],
)
def test_a_page_that_is_not_live_is_left_out(project_id: int, values: dict[str, Any]) -> None:
    change(project_id, "care", **values)
    assert paths(collected(project_id)) == ["hives", "faq"]


def test_a_page_that_names_itself_as_its_original_is_taken(project_id: int) -> None:
    change(project_id, "care", canonical_url="https://bees.example/care")
    assert "care" in paths(collected(project_id))


def test_a_page_that_was_never_read_is_left_out(project_id: int) -> None:
    db.session.delete(db.session.get_one(PageContent, page_at(project_id, "faq").id))
    db.session.commit()
    assert paths(collected(project_id)) == ["hives", "care"]


def test_the_caller_may_narrow_the_pages_but_not_widen_them(project_id: int) -> None:
    wanted = page_at(project_id, "care").id
    stale = change(project_id, "faq", is_stale=True)
    assert paths(collected(project_id, page_ids=(wanted, stale, 999))) == ["care"]


def test_pages_and_posts_of_another_project_are_not_seen(project_id: int) -> None:
    account_id = db.session.get_one(Project, project_id).account_id
    other = Project(account_id=account_id, name="Other", url="https://x.example/")
    db.session.add(other)
    db.session.commit()
    post_of(other)
    assert collected(other.id).pages == ()
    assert collected(project_id).existing_posts == ()
    assert collected(other.id, page_ids=(page_at(project_id, "care").id,)).pages == ()


def test_the_posts_there_are_and_their_slugs_are_known(project_id: int) -> None:
    project = db.session.get_one(Project, project_id)
    first, second = post_of(project, primary_keyword="bees"), post_of(project, slug="more-notes")
    ids = [second.id, first.id]
    found = collected(project_id)
    assert found.taken_slugs == {"garden-notes", "more-notes"}
    assert [post.id for post in found.existing_posts] == ids
    assert found.existing_posts[1].primary_keyword == "bees"


def test_only_what_is_known_about_the_product_is_a_fact(project_id: int) -> None:
    project = db.session.get_one(Project, project_id)
    project.summary, project.founders = "We teach beekeeping.", ""
    db.session.commit()
    assert collected(project_id).project_facts == {"summary": "We teach beekeeping."}


def test_of_very_many_pages_the_best_matching_and_the_preferred_are_taken(
    project_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_choice, "TAKEN", 2)
    change(project_id, "faq", always_use=True)
    assert paths(collected(project_id, "care for bees")) == ["care", "faq"]
    assert paths(collected(project_id, "hives")) == ["hives", "faq"]


def test_a_page_in_another_language_is_no_source(project_id: int) -> None:
    change(project_id, "hives", language="en-GB")
    change(project_id, "care", language="de")
    assert sorted(paths(collected(project_id, "beehive"))) == ["faq", "hives"]


def test_pages_in_another_language_are_sources_when_there_are_no_others_or_the_caller_names_them(
    project_id: int,
) -> None:
    ids = [change(project_id, path, language="de-AT") for path in ("hives", "care", "faq")]
    assert sorted(paths(collected(project_id, "beehive"))) == ["care", "faq", "hives"]
    change(project_id, "faq", language=None)
    assert paths(collected(project_id, "beehive")) == ["faq"]
    assert paths(collected(project_id, "beehive", page_ids=(ids[1],))) == ["care"]


def test_texts_that_the_whole_site_repeats_are_left_out_of_a_few_pages(project_id: int) -> None:
    only = page_at(project_id, "care").id
    (page,) = collected(project_id, page_ids=(only,)).pages
    assert [block.text for block in page.blocks if "cookies" in block.text] == []
    assert "Opening a beehive" in [block.text for block in page.blocks]
    assert any("warm day" in block.text for block in page.blocks)


def endings(project_id: int, but: int | None = None) -> tuple[str, ...]:
    return endings_of(newest_articles(project_id, but))


def test_the_newest_articles_by_a_model_say_how_they_end(project_id: int) -> None:
    project = db.session.get_one(Project, project_id)
    text = "## Why\n\n## What now\n\n[Ring us](https://bees.example/) on **Monday**.\n\n- Or write.\n"
    posts = [
        post_of(project, slug=f"p{n}", engine="llm", content=text.replace("Monday", day))
        for n, day in enumerate(DAYS)
    ]
    post_of(project, slug="digest", content=text)
    assert endings(project_id) == tuple(f"Ring us on {day}. Or write." for day in reversed(DAYS[1:]))
    assert endings(project_id, but=posts[-1].id) == tuple(
        f"Ring us on {day}. Or write." for day in reversed(DAYS[:-1])
    )


def test_an_article_without_a_heading_has_no_ending(project_id: int) -> None:
    post_of(db.session.get_one(Project, project_id), engine="llm", content="One sentence.")
    assert endings(project_id) == ()


def test_a_snapshot_knows_its_day(project_id: int) -> None:
    before = utc_now().date().isoformat()
    assert collected(project_id).day in {before, utc_now().date().isoformat()}
