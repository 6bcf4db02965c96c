"""Many keywords at once: what adding them would do, and adding them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from app.infra.db import batches, db, insert_all_new
from app.keywords.model import Keyword
from app.keywords.texts import fold_keyword, problem_of
from app.projects.model import Project
from app.projects.service import schedule_coverage

METRICS: Final = ("volume", "difficulty", "cpc_value", "cpc_currency", "country", "data_source")
MOST_NAMED: Final = 20
_AT_ONCE: Final = 500


class Problem(NamedTuple):
    """A row that cannot be a keyword: its number from 1, its text, and why."""

    row: int
    text: str
    reason: str


@dataclass
class Checked:
    """What adding keywords would do: the new ones by their text, and the number of all others.

    ``problems`` has the first MOST_NAMED of the rows that cannot be added, ``reasons`` counts all of them,
    and ``invalid_rows`` has all their numbers from 1.
    """

    new: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    known: int = 0
    problems: list[Problem] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    invalid_rows: list[int] = field(default_factory=list)

    @property
    def invalid(self) -> int:
        """How many rows cannot be added."""
        return len(self.invalid_rows)

    @property
    def summary(self) -> str:
        """The counts in words: "12 new, 3 already there, 1 too long"."""
        counts = [(len(self.new), "new"), (self.known, "already there")]
        counts += [(count, reason) for reason, count in sorted(self.reasons.items())]
        return ", ".join(f"{count:,} {word}" for count, word in counts if count or word == "new")


def check_keywords(project: Project, rows: Iterable[Mapping[str, Any]]) -> Checked:
    """Return what adding keywords would do. Each row has a ``keyword_text`` and any of METRICS.

    A text that comes twice counts as already there. Nothing is changed.
    """
    checked = Checked()
    for number, row in enumerate(rows, 1):
        text = fold_keyword(row["keyword_text"])
        reason = problem_of(text)
        if reason is not None:
            checked.reasons[reason] += 1
            checked.invalid_rows.append(number)
            if len(checked.problems) < MOST_NAMED:
                checked.problems.append(Problem(number, row["keyword_text"], reason))
        elif text in checked.new:
            checked.known += 1
        else:
            checked.new[text] = row
    for text in _existing(project.id, list(checked.new)):
        del checked.new[text]
        checked.known += 1
    return checked


def add_keywords(project: Project, checked: Checked) -> int:
    """Add the new keywords of a check, commit, and return how many were really new."""
    project_id = project.id
    rows = [
        {"project_id": project_id, "keyword_text": text, **{name: row.get(name) for name in METRICS}}
        for text, row in reversed(checked.new.items())  # newest first shows them in their order
    ]
    added = insert_all_new(Keyword, rows)
    if added:
        schedule_coverage(project_id)
    db.session.commit()
    return added


def _existing(project_id: int, texts: Sequence[str]) -> list[str]:
    found: list[str] = []
    for batch in batches(texts, _AT_ONCE):
        found += db.session.scalars(
            select(Keyword.keyword_text).where(
                Keyword.project_id == project_id, Keyword.keyword_text.in_(batch)
            )
        )
    return found
