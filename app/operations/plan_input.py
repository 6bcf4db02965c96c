"""The plan of a post in the input of a generation, within the limits of ``content/plan``."""

from typing import Any

from marshmallow import Schema, fields, validate

from app.content.plan import (
    EVIDENCE_ID,
    LONGEST_KEYPHRASE,
    LONGEST_LINE,
    LONGEST_SECTION,
    LONGEST_TITLE,
    MOST_EVIDENCE,
    MOST_GAPS,
    MOST_LINKS,
    MOST_POINTS,
    MOST_QUESTIONS,
    MOST_SECTIONS,
    SECTION_FORMATS,
)
from app.infra.db import LARGEST_ID
from app.infra.inputs import Integer, Line, Part, matching
from app.operations.fields import ListOrObject, Words, choice, documented, lines, number


def _evidence(description: str) -> fields.List[str]:
    one = fields.String(
        validate=matching(EVIDENCE_ID, "This is not an evidence id such as 12:b3, key:1 or project:summary."),
        metadata={"pattern": f"^({EVIDENCE_ID})$"},
    )
    return fields.List(
        one,
        allow_none=True,
        validate=validate.Length(max=MOST_EVIDENCE),
        metadata=documented(description, ["12:b3"]),
    )


def _planned_line(description: str, example: str, longest: int = LONGEST_LINE) -> Line:
    return Line(0, longest, metadata=documented(description, example))


class SectionInput(Part):
    heading = Line(
        1, LONGEST_TITLE, required=True, allow_none=False, metadata={"example": "How to choose a grinder"}
    )
    key_points = lines(MOST_POINTS, LONGEST_LINE, "What the section has to say.", ["flat and conical burrs"])


class PlannedSectionInput(SectionInput):
    purpose = _planned_line("What the section is for.", "help a beginner choose")
    evidence_ids = _evidence("The evidence of the section; found by the writer when left out.")
    words = number(0, LONGEST_SECTION, "About how many words; left to the writer when 0 or left out.", 150)
    format = choice(SECTION_FORMATS, "How it is written; prose when left out.", "table")


class PlannedQuestionInput(Part):
    """A reader's question that the sections leave open."""

    question = Line(
        1,
        LONGEST_TITLE,
        required=True,
        allow_none=False,
        metadata={"example": "How often are burrs changed?"},
    )
    evidence_ids = _evidence("What answers it.")


class PlannedClosingInput(Part):
    heading = _planned_line("The heading above it.", "What to do next", LONGEST_TITLE)
    purpose = _planned_line("What it is for.", "lead to the shop")


class PlannedLinkInput(Part):
    page_id = Integer(
        least=1, most=LARGEST_ID, required=True, metadata=documented("A page of the project.", 12)
    )
    section = _planned_line("The heading of the section that links it.", "Burrs", LONGEST_TITLE)


def _parts_of_a_plan(schema: type[Schema], most: int, description: str) -> fields.List[Any]:
    return fields.List(
        fields.Nested(schema),
        allow_none=True,
        validate=validate.Length(max=most),
        metadata=documented(description),
    )


class PostPlanInput(Part):
    """The plan of a post, as PLAN_BLOG_POST returns it; each member may be left out."""

    title = Words(
        0,
        LONGEST_TITLE,
        metadata=documented(
            "The title, used as it is unless the input names another.", "Espresso grinders: what to look for"
        ),
    )
    meta_title = _planned_line(
        "The title for search results, used as it is.", "Espresso grinders for beginners", LONGEST_TITLE
    )
    description = _planned_line(
        "The description for search results, used as it is.", "What a first grinder needs, and what it costs."
    )
    keyphrase = Words(
        0,
        LONGEST_KEYPHRASE,
        metadata=documented(
            "What people search for: the post's primary keyword unless the input names keywords.",
            "espresso grinder for beginners",
        ),
    )
    reader_question = _planned_line("The question that the reader has.", "Which grinder do I need?")
    angle = _planned_line("What this post says that no page says alone.", "what to pay for and what not")
    sections = _parts_of_a_plan(PlannedSectionInput, MOST_SECTIONS, "The sections, in their order.")
    highlights = _evidence("The most important figures and quotes.")
    questions = _parts_of_a_plan(PlannedQuestionInput, MOST_QUESTIONS, "Questions answered at the end.")
    closing = fields.Nested(PlannedClosingInput, allow_none=True, metadata=documented("How it ends."))
    links = _parts_of_a_plan(PlannedLinkInput, MOST_LINKS, "Pages of the project that the post links.")
    gaps = lines(MOST_GAPS, LONGEST_LINE, "What no page says.", ["what a repair costs"])


def outline_field() -> ListOrObject:
    """Return the field for sections in their order, or for a whole plan."""
    return ListOrObject(
        fields.List(
            fields.Nested(SectionInput),
            validate=validate.Length(max=MOST_SECTIONS),
            metadata={"description": "The sections that the post should have, in their order."},
        ),
        fields.Nested(PostPlanInput),
        wanted="Must be a list of sections, or a plan.",
        allow_none=True,
        metadata={
            "description": "The sections that the post should have, or its whole plan. A plan whose sections "
            "name their evidence is written as it is."
        },
    )
