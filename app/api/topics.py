"""Topics: check what a project has on one before a post is generated."""

from __future__ import annotations

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.contract import Resource, success
from app.api.http.fields import Id, Out
from app.api.http.schemas import success_schema
from app.content.planning.topic_check import check_topic
from app.infra.inputs import Choice, Input
from app.operations.fields import Words
from app.projects.model import Project

blueprint = Resource(
    "Topics", "/projects/<id:project_id>/topics", "What a project's pages and posts have on a topic."
)

COVERAGES = ("covered", "perhaps", "absent")


class TopicQuery(Input):
    """The topic, and the main keyword if it differs."""

    topic = Words(3, 200, required=True, allow_none=False, metadata={"example": "Content briefs"})
    keyword = Words(1, 80, allow_none=False, metadata={"example": "content brief"})


class PageRefOut(Out):
    """A page in short."""

    id = Id(metadata={"example": 1})
    url = fields.String(metadata={"format": "uri"})
    title = fields.String(metadata={"description": "Its title, or its address if it has none."})


class PostRefOut(Out):
    """A post in short."""

    id = Id(metadata={"example": 1})
    title = fields.String()
    primary_keyword = fields.String(allow_none=True)


class TopicCheckOut(Out):
    """What a project has on a topic."""

    topic = fields.String()
    coverage = Choice(
        COVERAGES,
        metadata={
            "description": "covered: a page is about it. perhaps: the pages cover part of it. absent: a "
            "draft would be an outline. Judged by the words of the pages; the job reads them closely."
        },
    )
    coverage_share = fields.Float(
        metadata={"description": "How much of the topic the best page covers, 0 to 1."}
    )
    missing_words = fields.List(
        fields.String(), metadata={"description": "Words of the topic that the best page does not contain."}
    )
    summary = fields.String(metadata={"example": "6 pages cover this."})
    pages = fields.List(
        fields.Nested(PageRefOut), metadata={"description": "Pages that a post could use, the best first."}
    )
    similar_posts = fields.List(
        fields.Nested(PostRefOut),
        metadata={"description": "Posts on the same topic, by their title or primary keyword."},
    )
    similar_pages = fields.List(
        fields.Nested(PageRefOut),
        metadata={"description": "Pages on the same topic, by title or heading."},
    )


TopicCheckAnswer = success_schema("TopicCheckAnswer", topic_check=fields.Nested(TopicCheckOut))


@blueprint.operation("GET", "/check", query=TopicQuery, gives={200: TopicCheckAnswer})
def check_topic_(project: Project, query: dict[str, Any]) -> ResponseReturnValue:
    """Check whether the pages cover a topic, and whether a post or page is about it already.

    Creates no job. Returns at most ten pages and posts of each kind.
    """
    keywords = [query["keyword"]] if "keyword" in query else []
    found = check_topic(project.id, query["topic"], keywords, project.language or "en")
    return success({"topic_check": TopicCheckOut().dump(found)})
