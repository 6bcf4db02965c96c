"""Projects: list, create, read, update."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import fields, validate

from app.api.http.auth import caller
from app.api.http.contract import Takes, operation, success
from app.api.http.fields import Choice, Id, In, Out, Text, Time, nullable
from app.api.http.pagination import PageQuery, PaginationOut, listed
from app.api.http.parsing import invalid
from app.api.http.schemas import FailureOut, SuccessOut
from app.failures import ServiceFailure
from app.operations.generation_input import CallToActionInput
from app.pages.service import count_pages
from app.pages.sync.quarantine import open_holds
from app.projects import service
from app.projects.model import Project
from app.projects.service import LANGUAGE, MODEL, TEXT_LIMITS, TONES
from app.projects.voice import LONGEST_AVOIDED, MOST_AVOIDED

blueprint = Blueprint(
    "Projects", __name__, url_prefix="/public-api/projects", description="The websites that posts are for."
)


def _text(name: str, **metadata: Any) -> Text:
    return Text(least=0, most=TEXT_LIMITS[name], allow_none=True, metadata=metadata)


class ProjectPatch(In):
    """What may be changed: an absent member stays, null clears one that may be empty."""

    name = Text(most=TEXT_LIMITS["name"], metadata={"example": "Example shop"})
    sitemap_url = Text(most=2048, allow_none=True, metadata={"format": "uri"})
    language = _text("language", pattern=f"^(?:{LANGUAGE})?$", example="en")
    location = _text("location")
    type = _text("type")
    summary = _text("summary")
    blog_theme = _text("blog_theme")
    key_features = _text("key_features")
    target_audience_summary = _text("target_audience_summary")
    pain_points = _text("pain_points")
    product_usage = _text("product_usage")
    founders = _text("founders")
    links = _text("links")
    tone = Choice(TONES, allow_none=True)
    global_instructions = _text(
        "global_instructions",
        description="What the writer should know for every post that brings no instructions of its own.",
        example="Write British English.",
    )
    avoid = fields.List(
        Text(most=LONGEST_AVOIDED), allow_none=True, validate=validate.Length(max=MOST_AVOIDED),
        metadata={
            "description": "Words and phrases that no post uses, unless it brings its own list.",
            "example": ["cheap"],
        },
    )  # fmt: skip
    call_to_action = fields.Nested(
        CallToActionInput, allow_none=True,
        metadata={"description": "The closing line of every post that does not bring its own."},
    )  # fmt: skip
    llm_model = _text(
        "llm_model", pattern=f"^(?:{MODEL})?$", example="gpt-5-mini",
        description="The model that writes the project's posts, instead of the service's own.",
    )  # fmt: skip
    llm_verify_model = _text(
        "llm_verify_model", pattern=f"^(?:{MODEL})?$", example="gpt-5-nano",
        description="The model that verifies them, instead of the service's own.",
    )  # fmt: skip
    brand_color = Text(
        least=0, most=7, allow_none=True,
        metadata={
            "description": "The colour of generated cover images; chosen by the host when there is none.",
            "pattern": "^(#[0-9A-Fa-f]{6})?$",
            "example": "#0b6b57",
        },
    )  # fmt: skip
    list_sources = fields.Boolean(
        allow_none=True,
        metadata={"description": "Whether posts end with a list of their sources; false when left out."},
    )


class ProjectIn(ProjectPatch):
    """A new project; only its URL is needed."""

    url = Text(most=2048, required=True, metadata={"format": "uri", "example": "https://example.com/"})
    name = _text("name")


class CallToActionOut(Out):
    """A closing line and where it leads."""

    text = fields.String()
    url = fields.String(metadata={"format": "uri"})


class SitemapOut(Out):
    """The state of a project's sitemap."""

    status = Choice(("never", "ok", "partial", "failed"))
    held = fields.Boolean(metadata={"description": "Whether a sudden loss is held and not settled yet."})
    last_synced_at = Time(allow_none=True)
    next_sync_at = Time(allow_none=True)
    fresh_pages = fields.Integer()
    stale_pages = fields.Integer()
    last_error = nullable(FailureOut)


class ProjectOut(Out):
    """A project."""

    id = Id(metadata={"example": 1})
    name = fields.String()
    url = fields.String(metadata={"format": "uri"})
    sitemap_url = fields.String(allow_none=True, metadata={"format": "uri"})
    language = fields.String(allow_none=True)
    location = fields.String(allow_none=True)
    type = fields.String(allow_none=True)
    summary = fields.String(allow_none=True)
    blog_theme = fields.String(allow_none=True)
    key_features = fields.String(allow_none=True)
    target_audience_summary = fields.String(allow_none=True)
    pain_points = fields.String(allow_none=True)
    product_usage = fields.String(allow_none=True)
    founders = fields.String(allow_none=True)
    links = fields.String(allow_none=True)
    tone = Choice(TONES, allow_none=True)
    global_instructions = fields.String(allow_none=True)
    avoid = fields.List(fields.String())
    call_to_action = nullable(CallToActionOut)
    llm_model = fields.String(allow_none=True)
    llm_verify_model = fields.String(allow_none=True)
    brand_color = fields.String(allow_none=True)
    list_sources = fields.Boolean()
    sitemap = fields.Nested(SitemapOut)
    created_at = Time()
    updated_at = Time()


class ProjectAnswer(SuccessOut):
    """One project."""

    project = fields.Nested(ProjectOut)


class ProjectsAnswer(SuccessOut):
    """A page of projects."""

    projects = fields.List(fields.Nested(ProjectOut))
    pagination = fields.Nested(PaginationOut)


@operation(blueprint, "GET", "", "listProjects", query=PageQuery, gives={200: ProjectsAnswer})
def list_projects(query: dict[str, Any]) -> ResponseReturnValue:
    """List the caller's projects."""
    rows, total = service.list_projects(caller().account_id, query["page"], query["page_size"])
    ids = [project.id for project in rows]
    counts, holds = count_pages(ids), open_holds(ids)
    return listed("projects", [present(row, counts, holds) for row in rows], query, total)


@operation(
    blueprint, "POST", "", "createProject",
    takes=Takes(ProjectIn, {"url": "https://example.com/"}), gives={201: ProjectAnswer},
    refuses=("PROJECT_ALREADY_EXISTS", "LIMIT_REACHED", "URL_NOT_ALLOWED"),
)  # fmt: skip
def create_project(body: dict[str, Any]) -> ResponseReturnValue:
    """Create a project.

    Its sitemap is synced in the background; when none is given, it is looked for.
    """
    try:
        project = service.create_project(caller().account, body)
    except ServiceFailure as refusal:
        if refusal.failure.code == "PROJECT_ALREADY_EXISTS" and refusal.failure.details:
            refusal.headers["Location"] = address(refusal.failure.details["project_id"])
        raise
    return success(_one(project), 201, {"Location": address(project.id)})


@operation(blueprint, "GET", "/<id:project_id>", "getProject", gives={200: ProjectAnswer})
def get_project(project: Project) -> ResponseReturnValue:
    """Read a project."""
    return success(_one(project))


@operation(
    blueprint, "PATCH", "/<id:project_id>", "updateProject",
    takes=Takes(ProjectPatch, {"summary": "A shop for examples."}), gives={200: ProjectAnswer},
    refuses=("URL_NOT_ALLOWED",),
)  # fmt: skip
def update_project(project: Project, body: dict[str, Any]) -> ResponseReturnValue:
    """Update a project; another sitemap URL queues a sync."""
    if not body:
        raise invalid([{"location": "body", "field": "", "message": "Name at least one member to change."}])
    return success(_one(service.update_project(project, body)))


def address(project_id: int) -> str:
    """Return the path of a project."""
    return f"/public-api/projects/{project_id}"


def present(project: Project, counts: dict[int, tuple[int, int]], holds: Container[int]) -> dict[str, Any]:
    """Return a project as the contract shows it.

    ``counts`` has its fresh and stale pages, ``holds`` its id if a loss of its pages is held and open.
    """
    fresh, stale = counts.get(project.id, (0, 0))
    sitemap = {
        "status": project.sync_status,
        "held": project.id in holds,
        "last_synced_at": project.last_synced_at,
        "next_sync_at": project.next_sync_at,
        "fresh_pages": fresh,
        "stale_pages": stale,
        "last_error": project.last_sync_error,
    }
    shown: dict[str, Any] = ProjectOut(exclude=("sitemap",)).dump(project)
    return {**shown, "sitemap": SitemapOut().dump(sitemap)}


def _one(project: Project) -> dict[str, Any]:
    return {"project": present(project, count_pages([project.id]), open_holds([project.id]))}
