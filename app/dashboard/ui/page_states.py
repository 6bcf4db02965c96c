"""How the state of a page of the site is shown, and the parts of the bar of all pages."""

from typing import Final

from app.dashboard.ui.charts import Part, whole
from app.dashboard.ui.presentation import STATUS, Word
from app.pages.model import Page
from app.pages.usable import why_unused
from app.projects.model import Project

FRESH: Final = STATUS["fresh"]
STALE: Final = STATUS["stale"]
UNREAD: Final = Word("✗", "unread", "bad")
NOT_USED: Final = Word("⊘", "not used", "quiet")
WAITING: Final = Word("◌", "not read yet", "quiet")

_NAMES: Final = {
    "PAGE_EMPTY": "no text",
    "PAGE_MISSING": "says it was not found",
    "PAGE_NOT_HTML": "no web page",
    "PAGE_REDIRECTS": "leads to another page",
}


def page_word(page: Page) -> Word:
    """Return the state of a page: a page that could not be read is not called fresh."""
    if page.is_stale:
        return STALE
    if page.fetch_error is not None:
        return UNREAD
    if not is_read(page):
        return WAITING
    return NOT_USED if why_unused(page) else FRESH


def is_read(page: Page) -> bool:
    """Return whether the text of a page is known, by reading it or from a caller."""
    return page.fetched_at is not None or page.word_count is not None


def may_be_chosen(page: Page) -> bool:
    """Return whether a post may be asked for from a page; one that waits to be read can be used by then."""
    return page_word(page) in (FRESH, WAITING) and not page.noindex


def page_name(page: Page) -> str:
    if page.title:
        return page.title
    if page.fetch_error is not None:
        return _NAMES.get(page.fetch_error["code"], "could not be read")
    return "no title" if is_read(page) else "not read yet"


def remark_on(page: Page) -> str:
    """Return why posts do not use a page whose state alone does not say it."""
    if page.is_stale or (not is_read(page) and page.fetch_error is None):
        return ""
    return why_unused(page) or ""


def health_parts(project: Project, unread: int, unused: int) -> list[Part]:
    """Return the parts of the bar of all pages; the unused are among the fresh, the unread among them."""
    numbers = (project.fresh_page_count - unused, unused - unread, project.stale_page_count, unread)
    shown = [max(0, number) for number in numbers]
    looks = (
        ("ready for posts", "f1", ""),
        ("read, but not used", "f4", "c4"),
        ("stale: left your sitemap", "f2", "c2"),
        ("could not be read", "fbad", "bad"),
    )
    return [
        Part(name, number, fill, key, box)
        for number, (name, fill, key), box in zip(shown, looks, whole(shown), strict=True)
    ]
