"""The plan of a post: what it says, in which order, from which evidence. Pure.

A model makes it, a person may change it, and the article is written from it. The payload's ``outline`` takes
every member of a plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from app.content.artefacts import Artefact

SectionFormat = Literal["prose", "list", "steps", "table", "listing"]
SECTION_FORMATS: Final[tuple[str, ...]] = get_args(SectionFormat)

MOST_SECTIONS: Final = 12
MOST_QUESTIONS: Final = 5


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

    ``highlights`` are the evidence ids of the figures and quotes that carry the post, ``gaps`` what a reader
    would want to know and no evidence says.
    """

    title: str = ""
    meta_title: str = ""
    description: str = ""
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


def plan_from(data: Mapping[str, Any]) -> PostPlan:
    """Return the plan of a payload's outline or of a stored plan; what is left out is empty."""
    return PostPlan(
        title=data.get("title") or "",
        meta_title=data.get("meta_title") or "",
        description=data.get("description") or "",
        reader_question=data.get("reader_question") or "",
        angle=data.get("angle") or "",
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
