"""A project's keywords: list, add, read."""

from typing import Any, Final

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.contract import Resource, Takes, success
from app.api.http.fields import Id, Out, Time
from app.api.http.pagination import PageQuery, list_schema, listed
from app.api.http.schemas import success_schema
from app.infra.inputs import Choice, shared
from app.keywords import service
from app.keywords.coverage import STATES
from app.keywords.inputs import KeywordIn
from app.keywords.model import Keyword
from app.projects.model import Project

blueprint = Resource(
    "Keywords", "/projects/<id:project_id>/keywords", "The search phrases of a project.", scope="keywords"
)


_NO_COMPETITION: Final = {"pages": 0, "posts": 0, "page_ids": [], "post_ids": []}


class CoverageOut(Out):
    pages = fields.Integer()
    posts = fields.Integer()


class CompetingOut(Out):
    """The number of fresh pages and posts about a keyword, and the ids of up to ten of each."""

    pages = fields.Integer()
    posts = fields.Integer()
    page_ids = fields.List(Id())
    post_ids = fields.List(Id())


class KeywordOut(Out):
    """A keyword; metrics are null unless the caller supplied them."""

    id = Id(metadata={"example": 1})
    project_id = Id(metadata={"example": 1})
    keyword_text = fields.String(metadata={"example": "content brief"})
    in_use = fields.Boolean()
    volume = fields.Integer(allow_none=True)
    difficulty = fields.Integer(allow_none=True)
    cpc_value = fields.Float(allow_none=True)
    cpc_currency = fields.String(allow_none=True)
    country = fields.String(allow_none=True)
    data_source = fields.String(allow_none=True)
    coverage = fields.Nested(CoverageOut)
    coverage_state = Choice(
        STATES,
        allow_none=True,
        metadata={
            "description": "gap: no page or post targets it. thin: none is about it. covered: one is. "
            "contested: two or more are. null: not counted yet.",
        },
    )
    competing = fields.Nested(CompetingOut)
    created_at = Time()
    updated_at = Time()


KeywordAnswer = success_schema("KeywordAnswer", keyword=fields.Nested(KeywordOut))


KeywordAdded = success_schema("KeywordAdded", keyword=fields.Nested(KeywordOut), created=fields.Boolean())


class KeywordQuery(PageQuery):
    q = fields.String(metadata={"description": "Only keywords that contain this."})
    coverage_state = Choice(STATES, metadata={"description": "Only keywords in this state."})


KeywordsAnswer = list_schema("KeywordsAnswer", keywords=KeywordOut)


@blueprint.operation("GET", "", query=KeywordQuery, gives={200: KeywordsAnswer})
def list_keywords(project: Project, query: dict[str, Any]) -> ResponseReturnValue:
    """List the project's keywords."""
    rows, total = service.list_keywords(
        project, query["page"], query["page_size"], query.get("q"), query.get("coverage_state")
    )
    return listed("keywords", [present(row) for row in rows], query, total)


@blueprint.operation(
    "POST",
    "",
    takes=Takes(KeywordIn, service_loads=True, example={"keyword_text": "content brief"}),
    gives={201: KeywordAdded, 200: KeywordAdded},
)
def add_keyword(project: Project, body: dict[str, Any]) -> ResponseReturnValue:
    """Add a keyword. One that exists already is returned unchanged, with its own metrics."""
    keyword, created = service.add_keyword(project, body)
    location = f"/public-api/projects/{keyword.project_id}/keywords/{keyword.id}"
    members = {"keyword": present(keyword), "created": created}
    return success(members, 201 if created else 200, {"Location": location})


@blueprint.operation("GET", "/<id:keyword_id>", gives={200: KeywordAnswer})
def get_keyword(project: Project, keyword_id: int) -> ResponseReturnValue:
    """Read a keyword."""
    return success({"keyword": present(service.get_keyword(project, keyword_id))})


def present(keyword: Keyword) -> dict[str, Any]:
    shown: dict[str, Any] = shared(KeywordOut, exclude=("coverage", "competing")).dump(keyword)
    return {
        **shown,
        "coverage": {"pages": keyword.covered_pages, "posts": keyword.covered_posts},
        "competing": keyword.competing or _NO_COMPETITION,
    }
