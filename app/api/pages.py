"""A project's pages: list, add, read."""

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.contract import Resource, Takes, success
from app.api.http.fields import Id, Out, QueryBoolean, Time, nullable, shown
from app.api.http.pagination import PageQuery, list_schema, listed
from app.api.http.schemas import FailureOut, success_schema
from app.infra.clock import rfc3339
from app.infra.inputs import Choice
from app.pages import queries, service
from app.pages.inputs import PageIn
from app.pages.model import Page
from app.pages.service import PageFilter
from app.projects.model import Project

blueprint = Resource(
    "Project Pages", "/projects/<id:project_id>/pages", "The project's Your Pages URLs.", scope="pages"
)

SOURCES = ("SITEMAP", "MANUAL")
_NOT_FILLED = "Reserved; always null for now."


class PageOut(Out):
    """A page. A page that disappears from the sitemap becomes stale and is never deleted.

    Posts use a page only if it is not stale, has no `fetch_error`, no `noindex` and no other `canonical_url`,
    and has a `word_count` above 0.
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
        allow_none=True, metadata={"description": "The number of words of its text; null or 0 without text."}
    )
    language = fields.String(allow_none=True)
    is_stale = fields.Boolean()
    stale_since = Time(allow_none=True)
    first_seen_at = Time()
    last_seen_at = Time(allow_none=True)
    lastmod = Time(allow_none=True)
    fetched_at = Time(
        allow_none=True,
        metadata={"description": "When it was last fetched; always null if its text was supplied."},
    )
    fetch_error = nullable(FailureOut)
    noindex = fields.Boolean()
    canonical_url = fields.String(allow_none=True, metadata={"format": "uri"})
    created_at = Time()
    updated_at = Time()


PageAnswer = success_schema("PageAnswer", page=fields.Nested(PageOut))


PageAdded = success_schema(
    "PageAdded",
    page=fields.Nested(PageOut),
    created=fields.Boolean(),
    content_taken=fields.Boolean(
        metadata={"description": "Whether the given `content` became the page's text; false without content."}
    ),
)


class ProjectPageQuery(PageQuery):
    stale = QueryBoolean()
    unused = Choice(
        queries.UNUSED,
        metadata={
            "description": "Only fresh pages that were fetched but that posts do not use: `any` (because of "
            "`noindex`, another `canonical_url`, a `fetch_error` or no text) or `unreadable` (because of a "
            "`fetch_error`)."
        },
    )
    source = Choice(SOURCES)
    q = fields.String(metadata={"description": "Only pages whose URL or title contains this."})


PagesAnswer = list_schema("PagesAnswer", pages=PageOut)


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

    If the page exists already, it is returned unchanged, except that a given `always_use` is set and a stale
    page becomes fresh again. A page that was never fetched (because of robots.txt, for example) takes the
    given `content`, `title` and `description`; its `fetch_error` is cleared, and it is never fetched. A page
    that was fetched, or has a text, keeps them, and `content_taken` is false.
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
    return shown(PageOut, page, {"fetch_error": error, "last_seen_at": seen})


def _details(page: Page) -> dict[str, Any]:
    details = (page.fetch_error or {}).get("details") or {}
    return {**details, "next_try_at": rfc3339(page.read_due_at)}
