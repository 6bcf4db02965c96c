"""The input of a generation: every member that GENERATE_BLOG_POST and PLAN_BLOG_POST take."""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from app.content.request import CLEARABLE, FEWEST_WORDS, LENGTHS, MOST_LINKS, MOST_WORDS, POST_TYPES
from app.content.writing.choosing import ENGINES, ON_FAILURE
from app.infra.inputs import Boolean, Line, Part, Text, matching
from app.operations.fields import Topic, Words, choice, documented, ids, lines, number
from app.operations.plan_input import outline_field
from app.projects.inputs import (
    LANGUAGE,
    LONGEST_AVOIDED,
    MOST_AVOIDED,
    MOST_INSTRUCTIONS,
    TONES,
    CallToActionInput,
)

DRAFT_KINDS: Final = ("outline", "extractive", "full")


class IncludeInput(Part):
    faq = Boolean(metadata=documented("Questions that the pages answer; true when left out."))
    table_of_contents = Boolean(metadata=documented("A list of the sections; false when left out."))
    key_takeaways = Boolean(metadata=documented("The main sentences first; false when left out."))
    sources = Boolean(
        metadata=documented("A list of the sources at the end; as the project says when left out.")
    )
    json_ld = Boolean(metadata=documented("schema.org data; true when left out."))


class InternalLinksInput(Part):
    min = number(0, 10, "The fewest pages to link; 2, 3 or 4, depending on the length, when left out.", 2)
    max = number(0, MOST_LINKS, "The most links; 15 when left out.", 8)

    @validates_schema
    def check_order(self, data: Mapping[str, Any], **_: Any) -> None:
        least, most = data.get("min"), data.get("max")
        if least is not None and most is not None and least > most:
            raise ValidationError({"min": ["Must not be greater than max."]})


class GenerateBlogPostInput(Schema):
    """The input of a generation. Every member can be left out."""

    topic = Topic(
        metadata=documented(
            "What the post is about. Left out: the title, else the primary keyword, else the next "
            "keyword without a post, else what the pages say most about.",
            "Espresso grinders",
        )
    )
    title = Words(
        1,
        150,
        metadata=documented(
            "The title, used as it is. Made from the topic when left out.",
            "Espresso grinders: what to look for",
        ),
    )
    keyword_ids = ids(10, "Keywords of the project; the first is the primary one.")
    keywords = lines(
        10,
        80,
        "Search phrases, after those of keyword_ids. Left out with keyword_ids: keywords in use whose "
        "words are in the topic or title.",
        ["espresso grinder"],
        Words,
    )
    page_ids = ids(50, "Pages of the project that the post may use; all live pages when left out.")
    required_page_ids = ids(
        5,
        "Pages that the post has to use or link when they say anything on the topic; the pages marked "
        "always_use when left out, none when null or empty.",
    )
    post_type = choice(POST_TYPES, "The kind of post; auto when left out.", "guide")
    audience = Line(
        1,
        200,
        metadata=documented(
            "Who the post is for; the project's audience when left out, nobody in particular when null.",
            "people who buy their first grinder",
        ),
    )
    tone = choice(TONES, "The tone; the project's, else neutral when left out.", "friendly")
    language = fields.String(
        allow_none=True,
        validate=[
            validate.Length(max=35),
            matching(LANGUAGE, "This is not a language tag such as en or pt-BR."),
        ],
        metadata={
            "description": "BCP 47 tag. Left out: the project's language, else that of most pages, else en.",
            "pattern": f"^{LANGUAGE}$",
            "example": "en",
        },
    )
    length = choice(tuple(LENGTHS), "500, 900 or 1600 words; medium when left out.", "medium")
    target_words = number(
        FEWEST_WORDS, MOST_WORDS, "How long the post should be, in words, instead of length.", 1200
    )
    instructions = Text(
        1,
        MOST_INSTRUCTIONS,
        metadata=documented(
            "What else the writer should know; the project's global_instructions when left out, "
            "nothing when null.",
            "Mention that grinders can be tried in the shop.",
        ),
    )
    key_points = lines(
        15, 300, "Facts that you vouch for; they appear in the post.", ["Every grinder is tested."]
    )
    avoid = lines(
        MOST_AVOIDED,
        LONGEST_AVOIDED,
        "Words and phrases that the post must not use; the project's when left out, none when null or empty.",
        ["cheap"],
    )
    call_to_action = fields.Nested(
        CallToActionInput,
        allow_none=True,
        metadata=documented("The closing line, with its link; the project's when left out, none when null."),
    )
    outline = outline_field()
    include = fields.Nested(
        IncludeInput, allow_none=True, metadata=documented("The parts besides the sections.")
    )
    internal_links = fields.Nested(
        InternalLinksInput, allow_none=True, metadata=documented("How many links into the project.")
    )
    minimum_kind = choice(
        DRAFT_KINDS,
        "The least that is worth having: a job that could make only less fails with "
        "INSUFFICIENT_SOURCE_MATERIAL. outline when left out.",
        "extractive",
    )
    engine = choice(
        ENGINES,
        "What writes: a language model (llm), the built-in writer (extractive), or auto: the model "
        "when the operator has configured one. auto when left out.",
        "auto",
    )
    on_llm_failure = choice(
        ON_FAILURE,
        "When the language model fails: fail the job, or let the built-in writer write the post "
        "(extractive) with a warning. fail when left out.",
        "fail",
    )
    slug = fields.String(
        allow_none=True,
        validate=matching("[a-z0-9-]{1,80}", "Must be 1 to 80 of a-z, 0-9 and hyphen."),
        metadata={
            "description": "The post's address, unique in the project; made from the title when left out.",
            "pattern": "^[a-z0-9-]{1,80}$",
            "example": "espresso-grinders",
        },
    )

    @validates_schema
    def check_length(self, data: Mapping[str, Any], **_: Any) -> None:
        if data.get("length") is not None and data.get("target_words") is not None:
            raise ValidationError({"target_words": ["Give length or target_words, not both."]})

    @post_load
    def leave_out(self, data: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """Drop null and empty members, so that null means the same as leaving a member out."""
        return {name: value for name, value in data.items() if name in CLEARABLE or value not in (None, [])}
