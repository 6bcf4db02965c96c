"""What title ideas are chosen from. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Origin = Literal["keyword", "question", "comparison", "how_to", "cost", "model"]
Stems = frozenset[str]


@dataclass(frozen=True)
class IdeaKeyword:
    """A keyword of the project; ``volume`` is how often it is searched for, when that is known."""

    id: int
    text: str
    volume: int | None = None


@dataclass(frozen=True)
class Candidate:
    """What could become an idea.

    ``page_ids`` are the pages it was found on, ``why`` says what makes it worth a post (of a keyword its
    coverage says so), ``question`` is what a reader asks.
    """

    origin: Origin
    title: str
    topic: str
    stems: Stems
    why: str = ""
    page_ids: tuple[int, ...] = ()
    question: str | None = None
    keyword: IdeaKeyword | None = None
