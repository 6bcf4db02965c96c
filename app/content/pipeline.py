"""Generates a post, or its plan alone: input → sources → engine. The engine is pure; this is its edge."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Protocol

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.drafts import WrittenPost
from app.content.evidence.named_pages import listed, never_read, why_not_used
from app.content.evidence.snapshot import newest_articles
from app.content.planning.preparing import Input, prepare
from app.content.rendering.sections import endings_of
from app.content.request import GenerationRequest
from app.content.retrieval.page_choice import (
    READ_FIRST,
    TAKEN,
    SourceQuery,
    collect_snapshot,
    further_pages,
)
from app.content.writing.article.writer import Work
from app.content.writing.choosing import Choice, choose
from app.content.writing.digest.engine import STAGES
from app.content.writing.llm.questions import NO_CACHE, AnswerCache
from app.content.writing.planned_post import PlannedPost
from app.content.writing.writers import plan_post, write
from app.infra.db import release
from app.infra.settings import current_settings
from app.pages.crawling.reading import read_due_pages

ALL_STAGES: Final = ("prepare_input", "collect_sources", *STAGES, "save_draft")
PLAN_STAGES: Final = ("prepare_input", "collect_sources", "build_brief", "build_outline")


class Progress(Protocol):
    """Records the stage that is reached and how many of all are done; what it raises ends the work.

    A ``message`` reports something within the stage.
    """

    def __call__(self, stage: str, done: int, total: int, message: str = ..., /) -> None:
        """Record the stage."""


def _without_end() -> float:
    return math.inf


def generate(
    project_id: int,
    payload: Mapping[str, Any],
    progress: Progress,
    should_stop: Callable[[], bool],
    instead_of: int | None = None,
    remaining: Callable[[], float] = _without_end,
    cache: AnswerCache = NO_CACHE,
) -> WrittenPost:
    """Write a post from a project's pages; ``progress`` records each stage and may end the work.

    ``instead_of`` is the post that is written again: it does not count as another on the same topic.
    ``remaining`` returns the seconds that are left, ``cache`` has the model's answers of earlier attempts.
    No database connection is open while an engine works. Raises ServiceFailure with what a text provider did,
    and what ``progress`` raises.
    """
    stage = _stages(ALL_STAGES, progress)
    sources = _sources(project_id, payload, stage, should_stop, instead_of)
    work = Work(stage, should_stop, remaining, cache, sources.further)
    written = write(sources.request, sources.snapshot, sources.choice, current_settings(), work)
    stage("save_draft")
    return replace(
        written, request=sources.request.to_dict(), warnings=(*written.warnings, *sources.warnings)
    )


def plan(
    project_id: int,
    payload: Mapping[str, Any],
    progress: Progress,
    should_stop: Callable[[], bool],
    remaining: Callable[[], float] = _without_end,
    cache: AnswerCache = NO_CACHE,
) -> PlannedPost:
    """Return the plan of a post, or what is missing for one; arguments and errors as in ``generate``."""
    stage = _stages(PLAN_STAGES, progress)
    sources = _sources(project_id, payload, stage, should_stop)
    work = Work(stage, should_stop, remaining, cache, sources.further)
    planned = plan_post(sources.request, sources.snapshot, sources.choice, current_settings(), work)
    return replace(
        planned, request=sources.request.to_dict(), warnings=(*planned.warnings, *sources.warnings)
    )


class _Stage(Protocol):
    def __call__(self, name: str, message: str = ..., /) -> None:
        """Enter a stage, or report a message within it; releases the database connection."""


def _stages(names: Sequence[str], progress: Progress) -> _Stage:
    def stage(name: str, message: str = "", /) -> None:
        release()
        reached = (name, names.index(name), len(names))
        if message:
            progress(*reached, message)
        else:
            progress(*reached)

    return stage


@dataclass(frozen=True)
class _Sources:
    """What an engine works from, which one that is, and what to warn of already.

    ``further`` returns pages that are not in the snapshot and say most on some words.
    """

    request: GenerationRequest
    snapshot: SourceSnapshot
    choice: Choice
    warnings: tuple[str, ...]
    further: Callable[[str], Sequence[SourcePage]]


def _sources(
    project_id: int,
    payload: Mapping[str, Any],
    stage: _Stage,
    should_stop: Callable[[], bool],
    instead_of: int | None = None,
) -> _Sources:
    """Prepare the input and collect the snapshot; releases the database connection."""
    stage("prepare_input")
    prepared = prepare(project_id, payload)
    stage("collect_sources")
    unread: list[str] = []
    snapshot = _without(instead_of, _collect(project_id, prepared, should_stop, unread.append))
    prepared = prepare(project_id, payload)  # pages that were read meanwhile may decide the language
    snapshot = replace(snapshot, language=prepared.request.language)
    if unread:
        stage("collect_sources", f"Could not be read: {listed(unread)}.")
    unused = why_not_used(project_id, prepared.named)
    choice = choose(payload, current_settings(), prepared.model, prepared.verify_model)
    articles = newest_articles(project_id, but=instead_of) if choice.engine == "llm" else ()
    release()
    snapshot = replace(snapshot, endings=endings_of(articles))
    further = partial(_further, project_id, prepared.source_query, snapshot)
    return _Sources(prepared.request, snapshot, choice, unused, further)


def _further(
    project_id: int, query: SourceQuery, snapshot: SourceSnapshot, gaps: str
) -> Sequence[SourcePage]:
    """Return pages that say most on some words, if there are more than the snapshot has room for."""
    if len(snapshot.pages) < TAKEN:
        return ()
    found = further_pages(project_id, query, gaps, but=snapshot.page_by_id)
    release()
    return found


def _collect(
    project_id: int, prepared: Input, should_stop: Callable[[], bool], unread: Callable[[str], None]
) -> SourceSnapshot:
    """Return the snapshot for an input; named pages that were never read are read first.

    So are due ones where few pages were read yet and none are named. ``unread`` is called with the address of
    each page that could not be read.
    """
    query = prepared.source_query
    read = partial(read_due_pages, current_settings(), project_id, should_stop=should_stop, on_failure=unread)
    if waiting := never_read(project_id, prepared.named):
        release()
        read(len(waiting), among=waiting)
    snapshot = collect_snapshot(project_id, query)
    if prepared.page_ids or len(snapshot.pages) >= READ_FIRST:
        return snapshot
    release()
    return collect_snapshot(project_id, query) if read(READ_FIRST).read else snapshot


def _without(post_id: int | None, snapshot: SourceSnapshot) -> SourceSnapshot:
    others = tuple(post for post in snapshot.existing_posts if post.id != post_id)
    return replace(snapshot, existing_posts=others)
