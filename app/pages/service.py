"""The pages of a project: adding them, and setting which are preferred."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import select, update

from app.failures import ServiceFailure, invalid_field
from app.infra import queue
from app.infra.checks import outbound_url, url_refused
from app.infra.clock import utc_now
from app.infra.db import changed_rows, db, insert_new
from app.infra.inputs import load
from app.infra.urls import same_site, url_key
from app.pages.crawling.page_queue import make_due
from app.pages.equal_texts import text_key
from app.pages.extraction.blocks import MAX_TEXT_BYTES, Block, Extracted, text_bytes
from app.pages.inputs import PageIn
from app.pages.model import Page, PageContent
from app.pages.page_counts import note_added, note_stale
from app.pages.queries import PageFilter, get_page, list_pages
from app.pages.supplied import due_again, supply
from app.pages.vocabulary import vocabulary_of
from app.projects.model import Project
from app.projects.service import schedule_coverage

__all__ = ["Added", "PageFilter", "add_page", "get_page", "list_pages", "set_always_use"]

MOST_AT_ONCE = 100


class Added(NamedTuple):
    """A page, whether it was created now, and whether the given content became its text."""

    page: Page
    created: bool
    content_taken: bool


def add_page(project: Project, members: Mapping[str, Any]) -> Added:
    """Add the page with this URL to the project, or find the existing one; commits.

    ``members`` are those of ``PageIn``. A page with content is not fetched; any other is read soon. An
    existing page keeps what it has. But if it was never read, it takes a content with its title and
    description; if it is stale, it turns fresh; and it takes a given ``always_use``. Raises INVALID_REQUEST
    and URL_NOT_ALLOWED.
    """
    members = load(PageIn, members)
    url = _own_url(project, members["url"], "/url")
    project_id = project.id
    values, content = _given(members, url)
    page_id = insert_new(
        Page,
        project_id=project_id,
        url=url,
        url_key=url_key(url),
        source="MANUAL",
        read_due_at=utc_now(),
        **values,
    )
    page = db.session.scalars(
        select(Page)
        .where(Page.project_id == project_id, Page.url_key == url_key(url))
        .execution_options(populate_existing=True)
    ).one()
    if page_id is not None:
        note_added(project_id, 1, page.created_at)
    elif "always_use" in members:
        page.always_use = values["always_use"]
    content_taken = content is not None and take(page, values, content)
    if page.is_stale:
        _freshen(page)
    to_read = page.read_due_at is not None
    db.session.commit()
    if to_read:
        queue.enqueue_page_reading(project_id)
    return Added(page, page_id is not None, content_taken)


def add_pages(project: Project, urls: Sequence[str], *, always_use: bool) -> list[Added]:
    """Add the pages with these URLs, MOST_AT_ONCE at most, as ``add_page`` does; commits each.

    Nothing is added if one of them is refused: raises INVALID_REQUEST and URL_NOT_ALLOWED with a message for
    each, at ``/url/0`` and so on.
    """
    if len(urls) > MOST_AT_ONCE:
        raise invalid_field("/url", f"These are {len(urls)} addresses. Enter up to {MOST_AT_ONCE} at once.")
    refused: list[Mapping[str, str]] = []
    for number, url in enumerate(urls):
        try:
            _own_url(project, url, f"/url/{number}")
        except ServiceFailure as error:
            refused += error.errors
    if refused:
        raise ServiceFailure("URL_NOT_ALLOWED", refused[0]["message"], errors=refused)
    chosen = {"always_use": True} if always_use else {}
    return [add_page(project, {"url": url, **chosen}) for url in urls]


@dataclass(frozen=True)
class PageText:
    """What was read on a page: its first blocks, how many more there are, and where redirects led."""

    blocks: list[Block]
    more: int
    answered_url: str | None


def text_of(page: Page, most: int) -> PageText | None:
    """Return what was read on a page, at most ``most`` blocks of it; None without a text."""
    stored = db.session.get(PageContent, page.id)
    if stored is None:
        return None
    blocks = [Block.from_json(each) for each in stored.blocks[:most]]
    return PageText(blocks, max(0, len(stored.blocks) - most), stored.answered_url)


def read_again(project: Project, page_ids: Collection[int]) -> Sequence[int]:
    """Have some of the project's pages read again soon, MOST_AT_ONCE at most; return their ids. Commits.

    Stale pages are left out, and those that were just read or whose text was supplied. A page of a site that
    asked for a pause waits until that is over.
    """
    project_id = project.id
    due = make_due(project_id, sorted(page_ids)[:MOST_AT_ONCE])
    if due:
        queue.enqueue_page_reading(project_id)
    return due


def set_always_use(page: Page, always_use: bool) -> None:
    """Set whether the page is preferred as a source and link target; commits."""
    page.always_use = always_use
    db.session.commit()


def set_always_used(project: Project, page_ids: Collection[int], always_use: bool) -> list[int]:
    """Set for several of the project's pages whether they are preferred, MOST_AT_ONCE at most; commits.

    Returns the ids of the pages that this changed.
    """
    changed = db.session.scalars(
        update(Page)
        .where(
            Page.project_id == project.id,
            Page.id.in_(sorted(page_ids)[:MOST_AT_ONCE]),
            Page.always_use != always_use,
        )
        .values(always_use=always_use)
        .returning(Page.id)
        .execution_options(synchronize_session=False)
    ).all()
    db.session.commit()
    return sorted(changed)


def _own_url(project: Project, text: str, field: str) -> str:
    url = outbound_url(text, field)
    if not same_site(project.url, url):
        raise url_refused(field, "The page is not on the project's own site.")
    return url


def _freshen(page: Page) -> None:
    fresh = {"is_stale": False, "stale_since": None, "read_due_at": due_again(utc_now())}
    # A sync may revive the page at the same moment; only one of the two counts it.
    if changed_rows(update(Page).where(Page.id == page.id, Page.is_stale).values(fresh)):
        note_stale(page.project_id, -1)
        schedule_coverage(page.project_id)
    db.session.refresh(page)


def _given(members: Mapping[str, Any], url: str) -> tuple[dict[str, Any], Extracted | None]:
    values: dict[str, Any] = {
        "always_use": members.get("always_use", False),
        "title": members.get("title") or None,
        "description": members.get("description") or None,
    }
    text = members.get("content")
    if not text:
        return values, None
    db.session.commit()  # parsing half a megabyte takes seconds, too long for an open transaction
    from markdown_it import MarkdownIt

    from app.pages.extraction.extract import extract  # loads BeautifulSoup

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    content = extract(markdown.render(text).encode(), url, "text/html; charset=utf-8", None, None)
    size = text_bytes(content.blocks)
    if size > MAX_TEXT_BYTES:
        most = f"{MAX_TEXT_BYTES:,} bytes of text (UTF-8)"
        raise invalid_field("/content", f"This may have at most {most}; it has {size:,}.")
    if not content.word_count:
        raise invalid_field("/content", "This has no words.")
    values["title"] = values["title"] or content.title or None
    return values, content


def take(page: Page, values: Mapping[str, Any], content: Extracted) -> bool:
    """Store the content unless the page was read or has a text; return whether it did. Commits nothing."""
    given = {name: values[name] for name in ("title", "description") if values[name]}
    if not supply(page.id, word_count=content.word_count, **given):
        return False
    db.session.refresh(page)
    page.text_key = text_key(content.content_hash, content.word_count)
    blocks = [block.to_json() for block in content.blocks]
    found = vocabulary_of(page.title, page.description, blocks)
    db.session.add(
        PageContent(
            page_id=page.id,
            blocks=blocks,
            content_hash=content.content_hash,
            words=found.words,
            headings=found.headings,
        )
    )
    schedule_coverage(page.project_id)
    return True
