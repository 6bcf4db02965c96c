"""Alice's project with the pages of a snapshot in its database."""

from __future__ import annotations

from collections.abc import Iterable

from bs4 import BeautifulSoup

from app.accounts.model import Account
from app.content.artefacts import SourceSnapshot
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.urls import url_key
from app.language.phrases import is_template_line
from app.language.sentences import sentences
from app.language.words import fold
from app.pages.model import Page, PageContent
from app.projects.model import Project


def store(snapshot: SourceSnapshot) -> int:
    """Store the snapshot as a project of Alice whose pages have been read; returns the project's id."""
    account = Account(email="alice@example.com", name="Alice", password_hash="-")
    db.session.add(account)
    db.session.flush()
    url = snapshot.project_url
    project = Project(account_id=account.id, name=snapshot.project_name, url=url)
    db.session.add(project)
    db.session.flush()
    for source in snapshot.pages:
        page = Page(
            project_id=project.id, url=source.url, url_key=url_key(source.url), source="SITEMAP",
            in_sitemap=True, title=source.title, fetched_at=utc_now(),
            word_count=sum(len(block.text.split()) for block in source.blocks),
        )  # fmt: skip
        db.session.add(page)
        db.session.flush()
        blocks = [block.to_json() for block in source.blocks]
        db.session.add(PageContent(page_id=page.id, blocks=blocks, content_hash=f"hash of {page.id}"))
    db.session.commit()
    return project.id


def page_at(project_id: int, path: str) -> Page:
    """The stored page whose address ends with ``path``."""
    db.session.rollback()
    return db.session.query(Page).filter(Page.project_id == project_id, Page.url.endswith(path)).one()


def unsourced(html: str, sources: Iterable[str], given: Iterable[str] = ()) -> list[str]:
    """Return the sentences of a rendered post that stand neither in a source nor in what was given.

    The fixed lines of a post are left out, as are those that name the source of an excerpt.
    """
    known = "\n".join(fold(text) for text in (*sources, *given))
    found = []
    for element in BeautifulSoup(html, "lxml").find_all(["h2", "h3", "p", "li", "pre", "td", "th"]):
        text = fold(element.get_text())
        if element.find(["p", "li"]) is None and not is_template_line(text):
            found += [sentence for sentence in sentences(text) if sentence not in known]
    return found
