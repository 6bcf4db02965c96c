"""Topics: check what a project has on one before a post is generated."""

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import fields, validate

from app.api.http.contract import Resource, success
from app.api.http.fields import Id, Out
from app.api.http.schemas import success_schema
from app.content.request import FEWEST_WORDS, LENGTHS, MOST_WORDS
from app.content.writing.choosing import ENGINES
from app.infra.inputs import Choice, Input, shared
from app.operations.fields import Words
from app.operations.generation_input import DRAFT_KINDS
from app.projects.model import Project

blueprint = Resource(
    "Topics",
    "/projects/<id:project_id>/topics",
    "What a project's pages and posts have on a topic.",
    scope="posts",
)

COVERAGES = ("covered", "perhaps", "absent")


class TopicQuery(Input):
    """The topic, the main keyword if it differs, and the length and the writer as in a generation."""

    topic = Words(3, 200, required=True, allow_none=False, metadata={"example": "Content briefs"})
    keyword = Words(1, 80, allow_none=False, metadata={"example": "content brief"})
    target_words = fields.Integer(
        validate=validate.Range(FEWEST_WORDS, MOST_WORDS), metadata={"example": LENGTHS["medium"]}
    )
    engine = Choice(ENGINES)


class PageRefOut(Out):
    id = Id(metadata={"example": 1})
    url = fields.String(metadata={"format": "uri"})
    title = fields.String(metadata={"description": "Its title, or its address if it has none."})


class PostRefOut(Out):
    id = Id(metadata={"example": 1})
    title = fields.String()
    primary_keyword = fields.String(allow_none=True)


class ExpectedDraftOut(Out):
    engine = Choice(
        ("llm", "extractive"), metadata={"description": "llm for a language model, extractive for excerpts."}
    )
    draft_kind = Choice(
        DRAFT_KINDS,
        metadata={"description": "As of the post. A model may still find that the pages say too little."},
    )
    word_count = fields.Integer(
        allow_none=True,
        metadata={
            "description": "About how many words the draft would have: fewer than target_words if the pages "
            "carry no more. Null for an outline, and where a model decides.",
            "example": 640,
        },
    )
    target_words = fields.Integer(metadata={"description": "The length asked for.", "example": 900})
    message = fields.String(metadata={"description": "The same in sentences."})


class TopicCheckOut(Out):
    topic = fields.String()
    coverage = Choice(
        COVERAGES,
        metadata={
            "description": "covered: a page is about it, and a draft can be made. perhaps: the pages cover "
            "part of it, or too little for a draft. absent: no page is about it."
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
        fields.Nested(PageRefOut),
        metadata={"description": "Pages that the draft would quote, or a model could use, the best first."},
    )
    nearest_pages = fields.List(
        fields.Nested(PageRefOut),
        metadata={
            "description": "Where only an outline can be made: up to five pages that come nearest. Send "
            "those that answer the topic in other words as page_ids of a generation."
        },
    )
    expected = fields.Nested(ExpectedDraftOut)
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
    """Check what a draft about a topic would be, and whether a post or page is about it already.

    Creates no job. Returns at most ten pages and posts of each kind.
    """
    from app.content.topic_check import check_topic  # loads a writer, which few requests need

    given = dict(query)
    keyword = given.pop("keyword", None)
    found = check_topic(project.id, {**given, "keywords": [keyword]} if keyword else given)
    return success({"topic_check": shared(TopicCheckOut).dump(found)})
