"""Rows that an import leaves out: counted by their reason, and the first ones named. Pure."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, NamedTuple

MOST_NAMED: Final = 20
MOST_TEXT: Final = 100


class Problem(NamedTuple):
    """A row that is left out: its number from 1, the beginning of its text and why."""

    row: int
    text: str
    reason: str


@dataclass
class Refusals:
    """The rows that are left out: ``problems`` has the first MOST_NAMED, ``reasons`` counts all of them."""

    problems: list[Problem] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def refuse(self, row: int, text: str, reason: str) -> None:
        self.reasons[reason] += 1
        if len(self.problems) < MOST_NAMED:
            self.problems.append(Problem(row, text[:MOST_TEXT], reason))

    def beside(self, new: int, known: int) -> str:
        """Return all counts in words: "12 new, 3 already there, 1 too long"."""
        counts = [("new", new), ("already there", known), *sorted(self.reasons.items())]
        return ", ".join(f"{count:,} {word}" for word, count in counts if count or word == "new")
