"""The plan of a post: what it says, in which order, from which evidence. Pure.

A model makes it, a person may change it, and the article is written from it. The payload's ``outline`` takes
every member of a plan.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, get_args

from app.content.artefacts import Artefact

SectionFormat = Literal["prose", "list", "steps", "table", "listing"]
SECTION_FORMATS: Final[tuple[str, ...]] = get_args(SectionFormat)

MOST_SECTIONS: Final = 12
MOST_QUESTIONS: Final = 5
MOST_POINTS: Final = 15
MOST_EVIDENCE: Final = 20
"""Evidence ids of a section, of a question, and of the highlights."""
MOST_LINKS: Final = 15
MOST_GAPS: Final = 15

LONGEST_TITLE: Final = 150
"""Characters of a title, a search title, a heading and a question."""
LONGEST_KEYPHRASE: Final = 80
"""Characters of a keyphrase."""
LONGEST_LINE: Final = 300
"""Characters of everything else in a plan."""
LONGEST_SECTION: Final = 3000
"""Words of a section."""

EVIDENCE_ID: Final = r"[1-9][0-9]{0,17}:(?:b[0-9]{1,9}|description)|key:[1-9][0-9]?|project:[a-z_]{1,40}"
"""A block of a page or its description, a key point of the caller, a fact of the project."""

_PART_OF_A_WORD: Final = re.compile(r"(?<=\s)\S{1,40}$")
"""The end of a text that was cut within a word. Languages without spaces are cut between characters."""


@dataclass(frozen=True)
class PlannedSection(Artefact):
    """A section: what it is for, the points it makes, the evidence it rests on, about how many words."""

    heading: str
    purpose: str = ""
    key_points: tuple[str, ...] = ()
    evidence_ids: tuple[str, ...] = ()
    words: int = 0
    format: SectionFormat = "prose"


@dataclass(frozen=True)
class PlannedQuestion(Artefact):
    """A reader's question that the sections do not answer."""

    question: str
    evidence_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlannedClosing(Artefact):
    """How the post ends and leads into the call to action."""

    heading: str = ""
    purpose: str = ""


@dataclass(frozen=True)
class PlannedLink(Artefact):
    """A page of the project that the post links, and the heading of the section where it does."""

    page_id: int
    section: str = ""


@dataclass(frozen=True)
class PostPlan(Artefact):
    """The plan of a post; what is empty is left to the writer.

    ``keyphrase`` is what people search for, ``highlights`` are the evidence ids of the most important
    figures and quotes, ``gaps`` what a reader would want to know and no evidence says.
    """

    title: str = ""
    meta_title: str = ""
    description: str = ""
    keyphrase: str = ""
    reader_question: str = ""
    angle: str = ""
    sections: tuple[PlannedSection, ...] = ()
    highlights: tuple[str, ...] = ()
    questions: tuple[PlannedQuestion, ...] = ()
    closing: PlannedClosing = PlannedClosing()
    links: tuple[PlannedLink, ...] = ()
    gaps: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether the article can be written from it: every section names its evidence."""
        return bool(self.sections) and all(section.evidence_ids for section in self.sections)

    @property
    def evidence_ids(self) -> tuple[str, ...]:
        """The evidence that the plan names, each id once."""
        named = list(self.highlights)
        named += (each for section in self.sections for each in section.evidence_ids)
        named += (each for question in self.questions for each in question.evidence_ids)
        return tuple(dict.fromkeys(named))


def within_limits(plan: PostPlan) -> PostPlan:
    """Return a plan that a payload's outline takes: what is too long is cut, what is too much left out."""
    closing = plan.closing
    return PostPlan(
        title=shortened(plan.title, LONGEST_TITLE),
        meta_title=shortened(plan.meta_title, LONGEST_TITLE),
        description=shortened(plan.description),
        keyphrase=shortened(plan.keyphrase, LONGEST_KEYPHRASE),
        reader_question=shortened(plan.reader_question),
        angle=shortened(plan.angle),
        sections=tuple(_section_within_limits(each) for each in plan.sections[:MOST_SECTIONS]),
        highlights=plan.highlights[:MOST_EVIDENCE],
        questions=tuple(
            PlannedQuestion(shortened(each.question, LONGEST_TITLE), each.evidence_ids[:MOST_EVIDENCE])
            for each in plan.questions[:MOST_QUESTIONS]
        ),
        closing=PlannedClosing(shortened(closing.heading, LONGEST_TITLE), shortened(closing.purpose)),
        links=tuple(
            replace(each, section=shortened(each.section, LONGEST_TITLE)) for each in plan.links[:MOST_LINKS]
        ),
        gaps=_shorten_all(plan.gaps, MOST_GAPS),
    )


def _section_within_limits(section: PlannedSection) -> PlannedSection:
    return replace(
        section,
        heading=shortened(section.heading, LONGEST_TITLE),
        purpose=shortened(section.purpose),
        key_points=_shorten_all(section.key_points, MOST_POINTS),
        evidence_ids=section.evidence_ids[:MOST_EVIDENCE],
        words=min(section.words, LONGEST_SECTION),
    )


def _shorten_all(lines: Sequence[str], most: int) -> tuple[str, ...]:
    return tuple(shortened(line) for line in lines[:most])


def shortened(text: str, longest: int = LONGEST_LINE) -> str:
    """Return a text of at most ``longest`` characters; what is cut ends with a word and an ellipsis."""
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    if not text[longest - 1].isspace():
        cut = _PART_OF_A_WORD.sub("", cut)
    return f"{cut.rstrip()}…"


_LINES: Final = ("title", "meta_title", "description", "keyphrase", "reader_question", "angle")
"""The members of a plan that are one line each."""


def plan_from(data: Mapping[str, Any]) -> PostPlan:
    """Return the plan of a payload's outline or of a stored plan; what is left out is empty."""
    return PostPlan(
        **{name: data.get(name) or "" for name in _LINES},
        sections=tuple(_section(each) for each in data.get("sections") or ()),
        highlights=tuple(data.get("highlights") or ()),
        questions=tuple(
            PlannedQuestion(each["question"], tuple(each.get("evidence_ids") or ()))
            for each in data.get("questions") or ()
        ),
        closing=PlannedClosing(**{k: v or "" for k, v in (data.get("closing") or {}).items()}),
        links=tuple(
            PlannedLink(each["page_id"], each.get("section") or "") for each in data.get("links") or ()
        ),
        gaps=tuple(data.get("gaps") or ()),
    )


def _section(data: Mapping[str, Any]) -> PlannedSection:
    return PlannedSection(
        heading=data["heading"],
        purpose=data.get("purpose") or "",
        key_points=tuple(dict.fromkeys(data.get("key_points") or ())),
        evidence_ids=tuple(dict.fromkeys(data.get("evidence_ids") or ())),
        words=data.get("words") or 0,
        format=data.get("format") or "prose",
    )
