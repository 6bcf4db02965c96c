"""What needs a hand in a project: everything that failed, is outdated, or waits for a decision.

Each kind of trouble is an indexed query of at most MOST rows. One statement lists them all, another counts
them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    CompoundSelect,
    String,
    cast,
    func,
    literal,
    null,
    select,
    union_all,
)

from app.content.model import DRAFT, BlogPost
from app.infra.db import db
from app.overview.troubles import POST_ID, PROJECT_ID, PUBLISHING_TROUBLES, TROUBLES, Rows, values_for
from app.projects.model import Project

MOST: Final = 20

_EARLY: Final = datetime.min.replace(tzinfo=UTC)
_MEMBERS: Final[Mapping[str, ColumnElement[Any]]] = {
    "kind": literal(""),
    "at": cast(null(), BlogPost.created_at.type),
    "title": literal(""),
    "post_id": cast(null(), BigInteger),
    "target_id": cast(null(), BigInteger),
    "job_id": cast(null(), BigInteger),
    "sync_id": cast(null(), BigInteger),
    "number": literal(0),
    "failure": cast(null(), JSON),
    "remark": cast(null(), String),
}
"""The members of a Need in their order, as they are where a kind of trouble has none."""

COUNTED: Final = 100


@dataclass(frozen=True)
class Need:
    """One thing that needs a hand.

    ``kind`` is sync_failed, quarantined, autopilot_paused, not_published, not_updated, unknown, unreachable,
    not_scheduled, not_written, search_not_read, edited_since, stale_links, changed_sources or proposed. The
    ids are those of what is to be fixed, ``number`` counts the pages or links that are wrong.
    """

    kind: str
    at: datetime | None = None
    title: str = ""
    post_id: int | None = None
    target_id: int | None = None
    job_id: int | None = None
    sync_id: int | None = None
    number: int = 0
    failure: Mapping[str, Any] | None = None
    remark: str | None = None


def needs_of(project: Project) -> list[Need]:
    """Return what needs a hand in a project: failures first, at most MOST of each kind of trouble."""
    found = _needs(_listing(), values_for(project))
    if project.last_sync_error is None:
        return found
    return [Need("sync_failed", project.last_synced_at, failure=project.last_sync_error), *found]


def publishing_needs(project: Project, post: BlogPost) -> list[Need]:
    """Return what needs a hand on a post's way to its readers."""
    return _needs(_listing_of_post(), {**values_for(project), POST_ID.key: post.id})


def _needs(statement: CompoundSelect[*tuple[Any, ...]], values: Mapping[str, object]) -> list[Need]:
    rows = db.session.execute(statement, values).all()
    # The order within a kind is that of its statement, which a union need not keep.
    newest_first = sorted(rows, key=lambda row: (row.at or _EARLY, row.post_id or 0), reverse=True)
    return [Need(*row[1:]) for row in sorted(newest_first, key=lambda row: row.place)]


def count_needs(project: Project) -> tuple[int, int]:
    """Return how many things need a hand, and how many drafts there are, by one statement.

    Of each kind of trouble, and of the drafts, at most COUNTED are counted.
    """
    row = db.session.execute(_counting(), values_for(project)).one()
    return row[0] + (project.last_sync_error is not None), row[1]


@cache
def _listing() -> CompoundSelect[*tuple[Any, ...]]:
    """Return one statement for all kinds of trouble, made once: to make it takes longer than to run it."""
    return union_all(*(_with_all_members(place, trouble()) for place, trouble in enumerate(TROUBLES)))


@cache
def _listing_of_post() -> CompoundSelect[*tuple[Any, ...]]:
    ways = enumerate(trouble().where(BlogPost.id == POST_ID) for trouble in PUBLISHING_TROUBLES)
    return union_all(*(_with_all_members(place, rows) for place, rows in ways))


def _with_all_members(place: int, trouble: Rows) -> Rows:
    rows = trouble.limit(MOST).subquery()
    members = (rows.c[name] if name in rows.c else none.label(name) for name, none in _MEMBERS.items())
    return select(literal(place).label("place"), *members)


@cache
def _counting() -> Rows:
    needs = sum((_count(trouble()) for trouble in TROUBLES), start=literal(0))
    return select(needs, _count(select(BlogPost.id).where(BlogPost.project_id == PROJECT_ID, DRAFT)))


def _count(statement: Rows) -> ColumnElement[int]:
    bounded = statement.order_by(None).with_only_columns(literal(1), maintain_column_froms=True)
    return select(func.count()).select_from(bounded.limit(COUNTED).subquery()).scalar_subquery()
