"""The input of a generation: every member that GENERATE_BLOG_POST takes, strict and with clear errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from marshmallow import RAISE, Schema, ValidationError, fields, post_load, validate, validates_schema

from app.content.request import DISPENSABLE, FEWEST_WORDS, LENGTHS, MOST_LINKS, MOST_WORDS, POST_TYPES
from app.content.writing.choosing import ENGINES, ON_FAILURE
from app.operations.fields import Boolean, Line, Text, Topic, WebAddress, Words, ids
from app.projects.service import LANGUAGE, TONES
from app.projects.voice import LONGEST_AVOIDED, LONGEST_CLOSING, MOST_AVOIDED, MOST_INSTRUCTIONS

DRAFT_KINDS: Final = ("outline", "extractive", "full")


def _choice(choices: tuple[str, ...], description: str, example: str) -> fields.String:
    told = f"Must be one of: {', '.join(choices)}."
    return fields.String(
        allow_none=True,
        validate=validate.OneOf(choices, error=told),
        metadata={"description": description, "example": example},
    )


def _number(least: int, most: int, description: str, example: int) -> fields.Integer:
    return fields.Integer(
        strict=True,
        allow_none=True,
        validate=validate.Range(least, most),
        metadata={"description": description, "example": example},
    )


def _lines(
    most: int, longest: int, description: str, example: list[str], kind: type[Line] = Line
) -> fields.List[str]:
    return fields.List(
        kind(1, longest, allow_none=False),
        allow_none=True,
        validate=validate.Length(max=most),
        metadata={"description": description, "example": example},
    )


def _matching(pattern: str, told: str) -> Any:
    """Return a validator: the whole text matches; a trailing line break does not pass for nothing."""
    compiled = re.compile(pattern, re.ASCII)

    def check(text: str) -> None:
        if compiled.fullmatch(text) is None:
            raise ValidationError(told)

    return check


class _Part(Schema):
    class Meta:
        unknown = RAISE


class CallToActionInput(_Part):
    """The closing line of a post: its words and where they lead."""

    text = Line(
        1, LONGEST_CLOSING, required=True, allow_none=False, metadata={"example": "Try it for 14 days"}
    )
    url = WebAddress(
        required=True,
        metadata={"description": "An http or https address.", "example": "https://example.com/try"},
    )


class SectionInput(_Part):
    """A section that the post should have; its key points say what to look for."""

    heading = Line(1, 150, required=True, allow_none=False, metadata={"example": "How to choose a grinder"})
    key_points = _lines(15, 300, "What the section has to say.", ["flat and conical burrs"])


class IncludeInput(_Part):
    """Which parts a post has besides its sections."""

    faq = Boolean(metadata={"description": "Questions that the pages answer; true when left out."})
    table_of_contents = Boolean(metadata={"description": "A list of the sections; false when left out."})
    key_takeaways = Boolean(metadata={"description": "The main sentences first; false when left out."})
    json_ld = Boolean(metadata={"description": "schema.org data; true when left out."})


class InternalLinksInput(_Part):
    """How many links into the project the text has."""

    min = _number(0, 10, "At least so many pages; 2, 3 or 4 by the length when left out.", 2)
    max = _number(0, MOST_LINKS, "At most so many links; 15 when left out.", 8)

    @validates_schema
    def check_order(self, data: Mapping[str, Any], **_: Any) -> None:
        """Refuse a minimum above the maximum."""
        least, most = data.get("min"), data.get("max")
        if least is not None and most is not None and least > most:
            raise ValidationError({"min": ["Must not be greater than max."]})


class GenerateBlogPostInput(Schema):
    """What a generation may be told; nothing at all works too."""

    topic = Topic(200, metadata={
        "description": "What the post is about. Left out: the title, else the primary keyword, else the next "
        "keyword without a post, else what the pages say most about.",
        "example": "Espresso grinders",
    })  # fmt: skip
    title = Words(1, 150, metadata={
        "description": "The title, used as it is. Made from the topic when left out.",
        "example": "Espresso grinders: what to look for",
    })  # fmt: skip
    keyword_ids = ids(10, "Keywords of the project; the first is the primary one.")
    keywords = _lines(
        10, 80, "Search phrases, after those of keyword_ids. Left out with keyword_ids: keywords in use that "
        "the topic holds.", ["espresso grinder"], Words,
    )  # fmt: skip
    page_ids = ids(50, "Pages of the project that the post may use; all live pages when left out.")
    required_page_ids = ids(
        5, "Pages that the post has to use or link when they say anything on the topic; the pages marked "
        "always_use when left out, none when null or empty.",
    )  # fmt: skip
    post_type = _choice(POST_TYPES, "The kind of post; auto when left out.", "guide")
    audience = Line(1, 200, metadata={
        "description": "Who the post is for; the project's audience when left out, nobody in particular when "
        "null.",
        "example": "people who buy their first grinder",
    })  # fmt: skip
    tone = _choice(TONES, "The tone; the project's, else neutral when left out.", "friendly")
    language = fields.String(
        allow_none=True,
        validate=[
            validate.Length(max=35),
            _matching(LANGUAGE, "This is not a language tag such as en or pt-BR."),
        ],
        metadata={
            "description": "BCP 47 tag. Left out: the project's language, else that of most pages, else en.",
            "pattern": f"^{LANGUAGE}$",
            "example": "en",
        },
    )
    length = _choice(tuple(LENGTHS), "500, 900 or 1600 words; medium when left out.", "medium")
    target_words = _number(
        FEWEST_WORDS, MOST_WORDS, "How long the post should be, in words, instead of length.", 1200
    )
    instructions = Text(1, MOST_INSTRUCTIONS, metadata={
        "description": "What else the writer should know; the project's global_instructions when left out, "
        "nothing when null.",
        "example": "Mention that grinders can be tried in the shop.",
    })  # fmt: skip
    key_points = _lines(
        15,
        300,
        "Facts that you vouch for; they stand in the post.",
        ["Every grinder is tested."],
    )
    avoid = _lines(
        MOST_AVOIDED, LONGEST_AVOIDED, "Words and phrases that the post must not use; the project's when "
        "left out, none when null or empty.", ["cheap"],
    )  # fmt: skip
    call_to_action = fields.Nested(
        CallToActionInput, allow_none=True,
        metadata={
            "description": "The closing line, with its link; the project's when left out, none when null."
        },
    )  # fmt: skip
    outline = fields.List(
        fields.Nested(SectionInput),
        allow_none=True,
        validate=validate.Length(max=12),
        metadata={"description": "The sections that the post should have, in their order."},
    )
    include = fields.Nested(
        IncludeInput, allow_none=True, metadata={"description": "The parts besides the sections."}
    )
    internal_links = fields.Nested(
        InternalLinksInput, allow_none=True, metadata={"description": "How many links into the project."}
    )
    minimum_kind = _choice(
        DRAFT_KINDS, "The least that is worth having: a job that could make only less fails with "
        "INSUFFICIENT_SOURCE_MATERIAL. outline when left out.", "extractive",
    )  # fmt: skip
    engine = _choice(
        ENGINES, "What writes: a language model (llm), the built-in writer (extractive), or auto: the model "
        "when the operator has configured one. auto when left out.", "auto",
    )  # fmt: skip
    on_llm_failure = _choice(
        ON_FAILURE, "When the language model fails: fail the job, or let the built-in writer write the post "
        "(extractive), which its warnings then tell. fail when left out.", "fail",
    )  # fmt: skip
    slug = fields.String(
        allow_none=True,
        validate=_matching("[a-z0-9-]{1,80}", "Must be 1 to 80 of a-z, 0-9 and hyphen."),
        metadata={
            "description": "The post's address, unique in the project; made from the title when left out.",
            "pattern": "^[a-z0-9-]{1,80}$",
            "example": "espresso-grinders",
        },
    )

    @validates_schema
    def check_length(self, data: Mapping[str, Any], **_: Any) -> None:
        """Refuse two lengths, which may contradict each other."""
        if data.get("length") is not None and data.get("target_words") is not None:
            raise ValidationError({"target_words": ["Give length or target_words, not both."]})

    @post_load
    def leave_out(self, data: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """Drop what says nothing: a client that writes null for what it leaves out asks for the same."""
        return {name: value for name, value in data.items() if name in DISPENSABLE or value not in (None, [])}
