"""A project's pages: list, add, read."""

from __future__ import annotations

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.contract import Resource, Takes, success
from app.api.http.fields import Id, Out, QueryBoolean, Time, nullable
from app.api.http.pagination import PageQuery, PaginationOut, listed
from app.api.http.schemas import FailureOut, SuccessOut
from app.infra.clock import rfc3339
from app.infra.inputs import Choice
from app.pages import queries, service
from app.pages.inputs import PageIn
from app.pages.model import Page
from app.pages.service import PageFilter
from app.projects.model import Project

blueprint = Resource("Project Pages", "/projects/<id:project_id>/pages", "The project's Your Pages URLs.")

SOURCES = ("SITEMAP", "MANUAL")
_NOT_FILLED = "Reserved: null so far."


class PageOut(Out):
    """A page. A page that disappears from the sitemap turns stale and is never deleted.

    Posts use a page that is not stale, has no `fetch_error` and no `noindex`, names no other page as its
    `canonical_url`, and has a `word_count` above 0.
    """

    id = Id(metadata={"example": 1})
    project_id = Id(metadata={"example": 1})
    url = fields.String(metadata={"format": "uri"})
    source = Choice(SOURCES)
    in_sitemap = fields.Boolean(metadata={"description": "Seen in the last complete sync."})
    always_use = fields.Boolean()
    type = fields.String(allow_none=True, metadata={"description": _NOT_FILLED})
    title = fields.String(allow_none=True)
    description = fields.String(allow_none=True)
    summary = fields.String(allow_none=True, metadata={"description": _NOT_FILLED})
    word_count = fields.Integer(
        allow_none=True, metadata={"description": "Words of its text; null or 0 if it has none."}
    )
    language = fields.String(allow_none=True)
    is_stale = fields.Boolean()
    stale_since = Time(allow_none=True)
    first_seen_at = Time()
    last_seen_at = Time(allow_none=True)
    lastmod = Time(allow_none=True)
    fetched_at = Time(
        allow_none=True,
        metadata={"description": "When it was last read; always null if its text was supplied."},
    )
    fetch_error = nullable(FailureOut)
    noindex = fields.Boolean()
    canonical_url = fields.String(allow_none=True, metadata={"format": "uri"})
    created_at = Time()
    updated_at = Time()


class PageAnswer(SuccessOut):
    """One page."""

    page = fields.Nested(PageOut)


class PageAdded(PageAnswer):
    """A page, whether it was made now, and whether it took a given content."""

    created = fields.Boolean()
    content_taken = fields.Boolean(
        metadata={
            "description": "Whether the given `content` became the page's text now; false, too, without one."
        }
    )


class ProjectPageQuery(PageQuery):
    """What a list of pages is narrowed to."""

    stale = QueryBoolean()
    unused = Choice(
        queries.UNUSED,
        metadata={
            "description": "Keeps the fresh pages that posts do not use, although they were read or tried: "
            "`any` of them (`noindex`, another `canonical_url`, a `fetch_error`, no text), or those with a "
            "`fetch_error` alone (`unreadable`)."
        },
    )
    source = Choice(SOURCES)
    q = fields.String(metadata={"description": "Keeps the pages whose URL or title contains this."})


class PagesAnswer(SuccessOut):
    """A page of the project's pages."""

    pages = fields.List(fields.Nested(PageOut))
    pagination = fields.Nested(PaginationOut)


@blueprint.operation("GET", "", query=ProjectPageQuery, gives={200: PagesAnswer})
def list_project_pages(project: Project, query: dict[str, Any]) -> ResponseReturnValue:
    """List the project's pages."""
    where = PageFilter(**{name: query.get(name) for name in ("stale", "unused", "source", "q")})
    rows, total = service.list_pages(project, where, query["page"], query["page_size"])
    return listed("pages", [_present(project, page) for page in rows], query, total)


@blueprint.operation(
    "POST",
    "",
    takes=Takes(PageIn, service_loads=True, example={"url": "https://example.com/about"}),
    gives={201: PageAdded, 200: PageAdded},
    fails=("URL_NOT_ALLOWED",),
)
def add_project_page(project: Project, body: dict[str, Any]) -> ResponseReturnValue:
    """Add a page of the project's own site.

    One that is there already is answered as it is, but a given `always_use` is set on it, and a stale one
    turns fresh. One that was never read (as robots.txt forbids it, for example) takes a given `content`,
    `title` and `description`; its `fetch_error` is cleared, and it is never fetched. One that was read,
    or has a text, keeps what it has, and `content_taken` is false.
    """
    added = service.add_page(project, body)
    page = added.page
    location = f"/public-api/projects/{page.project_id}/pages/{page.id}"
    members = {
        "page": _present(project, page),
        "created": added.created,
        "content_taken": added.content_taken,
    }
    return success(members, 201 if added.created else 200, {"Location": location})


@blueprint.operation("GET", "/<id:page_id>", gives={200: PageAnswer})
def get_project_page(project: Project, page_id: int) -> ResponseReturnValue:
    """Read a page."""
    return success({"page": _present(project, service.get_page(project, page_id))})


def _present(project: Project, page: Page) -> dict[str, Any]:
    error = page.fetch_error and {**page.fetch_error, "details": _details(page)}
    seen = rfc3339(queries.last_seen(project, page))
    return {**PageOut().dump(page), "fetch_error": error, "last_seen_at": seen}


def _details(page: Page) -> dict[str, Any]:
    """Return the facts about a page's failure, and when it is tried again."""
    told = (page.fetch_error or {}).get("details") or {}
    return {**told, "next_try_at": rfc3339(page.read_due_at)}
