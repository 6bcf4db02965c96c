"""Projects: list, create, read, update."""

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.auth import caller, refuse_one_project
from app.api.http.contract import Resource, Takes, success
from app.api.http.fields import Id, Out, Time, nullable, shown
from app.api.http.pagination import PageQuery, list_schema, listed
from app.api.http.schemas import FailureOut, success_schema
from app.failures import ServiceFailure, invalid_field
from app.infra.clock import rfc3339
from app.infra.inputs import Choice
from app.pages.sync.quarantine import has_open_quarantine, open_quarantines
from app.projects import service
from app.projects.inputs import TONES, ProjectIn, ProjectPatch
from app.projects.model import Project

blueprint = Resource("Projects", "/projects", "The websites that posts are for.", scope="projects")


class CallToActionOut(Out):
    text = fields.String()
    url = fields.String(metadata={"format": "uri"})


class SitemapOut(Out):
    status = Choice(("never", "ok", "partial", "failed"))
    quarantined = fields.Boolean(
        metadata={"description": "Whether the removal of pages waits for confirmation."}
    )
    last_synced_at = Time(allow_none=True)
    next_sync_at = Time(allow_none=True)
    fresh_pages = fields.Integer()
    stale_pages = fields.Integer()
    last_error = nullable(FailureOut)


class ProjectOut(Out):
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


ProjectAnswer = success_schema("ProjectAnswer", project=fields.Nested(ProjectOut))


ProjectsAnswer = list_schema("ProjectsAnswer", projects=ProjectOut)


@blueprint.operation("GET", "", query=PageQuery, gives={200: ProjectsAnswer})
def list_projects(query: dict[str, Any]) -> ResponseReturnValue:
    """List the caller's projects."""
    who = caller()
    rows, total = service.list_projects(who.account_id, query["page"], query["page_size"], who.project_id)
    quarantines = open_quarantines(project.id for project in rows)
    found = [present(row, is_quarantined=row.id in quarantines) for row in rows]
    return listed("projects", found, query, total)


@blueprint.operation(
    "POST",
    "",
    takes=Takes(ProjectIn, service_loads=True, example={"url": "https://example.com/"}),
    gives={201: ProjectAnswer},
    fails=("PROJECT_ALREADY_EXISTS", "LIMIT_REACHED", "URL_NOT_ALLOWED"),
)
def create_project(body: dict[str, Any]) -> ResponseReturnValue:
    """Create a project.

    Its sitemap is synced in the background. Without `sitemap_url` the service searches for one.
    """
    refuse_one_project()
    try:
        project = service.create_project(caller().account, body)
    except ServiceFailure as error:
        if error.failure.code == "PROJECT_ALREADY_EXISTS" and error.failure.details:
            error.headers["Location"] = address(error.failure.details["project_id"])
        raise
    return success(_one(project), 201, {"Location": address(project.id)})


@blueprint.operation("GET", "/<id:project_id>", gives={200: ProjectAnswer})
def get_project(project: Project) -> ResponseReturnValue:
    """Read a project."""
    return success(_one(project))


@blueprint.operation(
    "PATCH",
    "/<id:project_id>",
    takes=Takes(ProjectPatch, service_loads=True, example={"summary": "A shop for examples."}),
    gives={200: ProjectAnswer},
    fails=("URL_NOT_ALLOWED",),
)
def update_project(project: Project, body: dict[str, Any]) -> ResponseReturnValue:
    """Update a project. A new sitemap URL queues a sync."""
    if not body:
        raise invalid_field("", "Name at least one member to change.")
    return success(_one(service.update_project(project, body)))


def address(project_id: int) -> str:
    return f"/public-api/projects/{project_id}"


def present(project: Project, *, is_quarantined: bool) -> dict[str, Any]:
    """Return a project as in the contract. ``is_quarantined``: whether removals wait for confirmation."""
    sitemap = {
        "status": project.sync_status,
        "quarantined": is_quarantined,
        "last_synced_at": rfc3339(project.last_synced_at),
        "next_sync_at": rfc3339(project.next_sync_at),
        "fresh_pages": project.fresh_page_count,
        "stale_pages": project.stale_page_count,
        "last_error": project.last_sync_error,
    }
    return shown(ProjectOut, project, {"sitemap": sitemap})


def _one(project: Project) -> dict[str, Any]:
    return {"project": present(project, is_quarantined=has_open_quarantine(project.id))}
