"""Many keywords at once: what adding them would do, and adding them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import select

from app.infra.db import batches, db, insert_all_new
from app.keywords.model import Keyword
from app.keywords.texts import fold_keyword, problem_of
from app.projects.model import Project
from app.projects.service import schedule_coverage
from app.spreadsheets.refusals import Refusals

METRICS: Final = ("volume", "difficulty", "cpc_value", "cpc_currency", "country", "data_source")
_AT_ONCE: Final = 500


@dataclass
class Checked(Refusals):
    """What adding keywords would do: the new ones by their text, and the number of all others.

    ``invalid_rows`` has the numbers, from 1, of all rows that cannot be added.
    """

    new: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    known: int = 0
    invalid_rows: list[int] = field(default_factory=list)

    @property
    def invalid(self) -> int:
        """How many rows cannot be added."""
        return len(self.invalid_rows)

    @property
    def summary(self) -> str:
        """The counts in words."""
        return self.beside(len(self.new), self.known)


def check_keywords(project: Project, rows: Iterable[Mapping[str, Any]]) -> Checked:
    """Return what adding keywords would do. Each row has a ``keyword_text`` and any of METRICS.

    A text that comes twice counts as already there. Nothing is changed.
    """
    checked = Checked()
    for number, row in enumerate(rows, 1):
        text = fold_keyword(row["keyword_text"])
        reason = problem_of(text)
        if reason is not None:
            checked.refuse(number, row["keyword_text"], reason)
            checked.invalid_rows.append(number)
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
