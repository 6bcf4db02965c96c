"""Generates a post: input → sources → engine → draft. The engine is pure; this is its edge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import ColumnElement, exists, func, select

from app.content.artefacts import SourceSnapshot, WrittenPost
from app.content.engine import STAGES, write_extractive
from app.content.model import BlogPost
from app.content.request import GenerationRequest
from app.content.snapshot import collect_snapshot
from app.infra.db import db, release
from app.infra.settings import current_settings
from app.keywords.model import Keyword
from app.pages.reading import read_due_pages
from app.projects.model import Project

READ_FIRST: Final = 20
"""With fewer pages read than this, due ones are read before a post is written: a new project has sources."""

ALL_STAGES: Final = ("prepare_input", "collect_sources", *STAGES, "save_draft")

Tell = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Input:
    """The request as the engine takes it, and the pages it is confined to."""

    request: GenerationRequest
    page_ids: tuple[int, ...]

    @property
    def subject(self) -> str:
        """The words by which sources are chosen."""
        asked = (self.request.topic or "", self.request.title or "", *self.request.keywords)
        return " ".join(filter(None, asked))


def generate(
    project_id: int,
    payload: Mapping[str, Any],
    tell: Tell,
    should_stop: Callable[[], bool],
    instead_of: int | None = None,
) -> WrittenPost:
    """Write a post from a project's pages; ``tell(stage, done, total)`` hears each stage and may end it.

    ``instead_of`` is the post that is written anew: it does not count as another on the same topic. Holds no
    database connection while the engine works. Raises what ``tell`` raises.
    """

    def stage(name: str) -> None:
        release()
        tell(name, ALL_STAGES.index(name), len(ALL_STAGES))

    stage("prepare_input")
    wanted = _prepare(project_id, payload)
    stage("collect_sources")
    snapshot = _without(instead_of, _collect(project_id, wanted, should_stop))
    release()
    written = write_extractive(wanted.request, snapshot, lambda name, _done, _total: stage(name))
    stage("save_draft")
    return written


def _prepare(project_id: int, payload: Mapping[str, Any]) -> Input:
    project = db.session.get_one(Project, project_id)
    keywords = [
        *_texts(project_id, payload.get("keyword_ids") or ()),
        *(payload.get("keywords") or ()),
    ]
    topic, title = payload.get("topic"), payload.get("title")
    if not (keywords or topic or title):
        keywords = _next_keyword(project_id)
    request = GenerationRequest(
        topic=topic,
        title=title,
        keywords=tuple(dict.fromkeys(keywords)),
        target_words=payload.get("target_words") or 900,
        language=project.language or "en",
    )
    return Input(request, tuple(payload.get("page_ids") or ()))


def _collect(project_id: int, wanted: Input, should_stop: Callable[[], bool]) -> SourceSnapshot:
    return collect_sources(
        project_id, wanted.subject, wanted.request.language, wanted.page_ids, should_stop=should_stop
    )


def collect_sources(
    project_id: int,
    subject: str,
    language: str,
    page_ids: Sequence[int] = (),
    *,
    should_stop: Callable[[], bool],
) -> SourceSnapshot:
    """Return the snapshot for a subject; where few pages were read yet, due ones are read first."""
    snapshot = collect_snapshot(project_id, subject, language, page_ids)
    if len(snapshot.pages) >= min(READ_FIRST, len(page_ids) or READ_FIRST):
        return snapshot
    release()
    if not read_due_pages(current_settings(), project_id, READ_FIRST, should_stop).read:
        return snapshot
    return collect_snapshot(project_id, subject, language, page_ids)


def _without(post_id: int | None, snapshot: SourceSnapshot) -> SourceSnapshot:
    others = tuple(post for post in snapshot.existing_posts if post.id != post_id)
    return replace(snapshot, existing_posts=others)


def _texts(project_id: int, keyword_ids: Sequence[int]) -> list[str]:
    rows = db.session.execute(
        select(Keyword.id, Keyword.keyword_text).where(
            Keyword.project_id == project_id, Keyword.id.in_(keyword_ids)
        )
    )
    found = {row.id: row.keyword_text for row in rows}
    return [found[keyword_id] for keyword_id in keyword_ids if keyword_id in found]


def _has_post() -> ColumnElement[bool]:
    # The count of posts is brought up to date some seconds after a post was saved.
    return exists(
        select(BlogPost.id).where(
            BlogPost.project_id == Keyword.project_id,
            func.lower(BlogPost.primary_keyword) == Keyword.keyword_text,
        )
    )


def _next_keyword(project_id: int) -> list[str]:
    """Return the oldest keyword in use that no post has, if there is one."""
    text = db.session.scalar(
        select(Keyword.keyword_text)
        .where(Keyword.project_id == project_id, Keyword.in_use, Keyword.covered_posts == 0, ~_has_post())
        .order_by(Keyword.id)
        .limit(1)
    )
    return [text] if text else []
