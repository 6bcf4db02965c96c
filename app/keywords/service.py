"""Keywords: the search phrases of a project, and how well its pages and posts cover them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ScalarSelect, func, or_, select

from app.failures import invalid_field
from app.infra.db import db, insert_new, page_of, row_of_project
from app.infra.inputs import load
from app.keywords.coverage import STATES
from app.keywords.inputs import KeywordIn
from app.keywords.model import Keyword
from app.keywords.texts import MAX_LENGTH, NO_WORDS, TOO_LONG, fold_keyword, problem_of
from app.pages.extraction.blocks import IN_WORDS
from app.projects.model import Project
from app.projects.service import schedule_coverage

_MESSAGES: Final = {NO_WORDS: IN_WORDS, TOO_LONG: f"This may have at most {MAX_LENGTH} characters."}

ORDERS: Final = {
    "newest": (Keyword.created_at.desc(), Keyword.id.desc()),
    "text": (Keyword.keyword_text, Keyword.id),
    "volume": (func.coalesce(Keyword.volume, -1).desc(), Keyword.id.desc()),
    "easiest": (func.coalesce(Keyword.difficulty, 101), Keyword.id.desc()),
}


def add_keyword(project: Project, members: Mapping[str, Any]) -> tuple[Keyword, bool]:
    """Return the project's keyword with this text and whether it was made now.

    ``members`` are those of ``KeywordIn``. A keyword that exists already keeps its own metrics. Its coverage
    is counted later by a periodic task. Raises INVALID_REQUEST.
    """
    values = load(KeywordIn, members)
    text = fold_keyword(values.pop("keyword_text"))
    if (problem := problem_of(text)) is not None:
        raise invalid_field("/keyword_text", _MESSAGES.get(problem, problem))
    project_id = project.id
    keyword_id = insert_new(Keyword, project_id=project_id, keyword_text=text, **values)
    if keyword_id is not None:
        schedule_coverage(project_id)
    db.session.commit()
    keyword = db.session.scalars(
        select(Keyword).where(Keyword.project_id == project_id, Keyword.keyword_text == text)
    ).one()
    return keyword, keyword_id is not None


def get_keyword(project: Project, keyword_id: int) -> Keyword:
    """Return a keyword of the project. Raises KEYWORD_NOT_FOUND."""
    return row_of_project(Keyword, keyword_id, project.id, "KEYWORD_NOT_FOUND")


def list_keywords(
    project: Project,
    page: int,
    page_size: int,
    q: str | None = None,
    state: str | None = None,
    order: str = "newest",
) -> tuple[Sequence[Keyword], int]:
    """Return one page of the project's keywords, and how many there are in all.

    ``q`` keeps those that contain it, whatever its case; ``state`` is one of coverage.STATES, ``order`` one
    of ORDERS.
    """
    conditions = [Keyword.project_id == project.id]
    if state is not None:
        conditions.append(Keyword.coverage_state == state)
    if q and q.strip():
        conditions.append(Keyword.keyword_text.contains(fold_keyword(q[:MAX_LENGTH]), autoescape=True))
    return page_of(select(Keyword).where(*conditions).order_by(*ORDERS[order]), page, page_size)


def keywords_to_choose(project: Project, most: int, asked: int | None = None) -> Sequence[Keyword]:
    """Return the project's keywords in use, newest first, after the one that is asked for."""
    return db.session.scalars(
        select(Keyword)
        .where(Keyword.project_id == project.id, or_(Keyword.in_use, Keyword.id == asked))
        .order_by((Keyword.id == asked).desc(), Keyword.created_at.desc(), Keyword.id.desc())
        .limit(most)
    ).all()


def texts_of(project: Project, keyword_ids: Sequence[int]) -> dict[int, str]:
    rows = db.session.execute(
        select(Keyword.id, Keyword.keyword_text).where(
            Keyword.project_id == project.id, Keyword.id.in_(keyword_ids)
        )
    )
    return {row.id: row.keyword_text for row in rows}


def kept_among(project: Project, texts: Collection[str]) -> set[str]:
    wanted = [Keyword.project_id == project.id, Keyword.keyword_text.in_(texts), Keyword.in_use]
    return set(db.session.scalars(select(Keyword.keyword_text).where(*wanted))) if texts else set()


def keywords_to_cover(project_id: int, keyword_ids: Sequence[int], most: int) -> Sequence[Keyword]:
    """Return these keywords of a project, or all in use that no post targets, the most searched first."""
    wanted = [Keyword.id.in_(keyword_ids)] if keyword_ids else [Keyword.in_use, Keyword.covered_posts == 0]
    return db.session.scalars(
        select(Keyword)
        .where(Keyword.project_id == project_id, *wanted)
        .order_by(func.coalesce(Keyword.volume, 0).desc(), Keyword.id)
        .limit(most)
    ).all()


def states_of(project: Project) -> dict[str, int]:
    """Return how many of the project's keywords are in each of coverage.STATES, and in all, as ``all``."""
    return named_states(*db.session.execute(select(*counts_of_states(project))).one())


def counts_of_states(project: Project) -> list[ScalarSelect[int]]:
    """Select the counts of ``states_of`` as ``named_states`` takes them."""
    keywords = select(func.count()).select_from(Keyword).where(Keyword.project_id == project.id)
    of_states = [keywords.where(Keyword.coverage_state == state) for state in STATES]
    return [each.scalar_subquery() for each in (*of_states, keywords)]


def named_states(*counts: int) -> dict[str, int]:
    return dict(zip((*STATES, "all"), counts, strict=True))


def set_in_use(keyword: Keyword, in_use: bool) -> None:
    """Set whether posts may be written for the keyword; commits."""
    keyword.in_use = in_use
    db.session.commit()
