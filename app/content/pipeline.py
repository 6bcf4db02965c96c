"""Generates a post: input → sources → engine → draft. The engine is pure; this is its edge."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, Protocol

from app.content.artefacts import SourceSnapshot, WrittenPost
from app.content.evidence.named_pages import listed, never_read, why_not_used
from app.content.planning.preparing import Input, prepare
from app.content.retrieval.collecting import READ_FIRST, collect_snapshot
from app.content.retrieval.page_choice import Wish
from app.content.writing.article.memory import NO_MEMORY, Memory
from app.content.writing.article.writer import Work
from app.content.writing.choosing import choose, write
from app.content.writing.digest.engine import STAGES
from app.infra.db import release
from app.infra.settings import current_settings
from app.pages.reading import read_due_pages

ALL_STAGES: Final = ("prepare_input", "collect_sources", *STAGES, "save_draft")


class Tell(Protocol):
    """Hears of each stage and how many of all are done; what it raises ends the work.

    With a ``message`` it hears of something within the stage.
    """

    def __call__(self, stage: str, done: int, total: int, message: str = ..., /) -> None:
        """Record it."""


def _without_end() -> float:
    return math.inf


def generate(
    project_id: int,
    payload: Mapping[str, Any],
    tell: Tell,
    should_stop: Callable[[], bool],
    instead_of: int | None = None,
    remaining: Callable[[], float] = _without_end,
    memory: Memory = NO_MEMORY,
) -> WrittenPost:
    """Write a post from a project's pages; ``tell`` hears each stage and may end it.

    ``instead_of`` is the post that is written anew: it does not count as another on the same topic.
    ``remaining`` tells the seconds that are left, ``memory`` what a model answered to earlier attempts. Holds
    no database connection while an engine works. Raises ServiceFailure with what a text provider did, and
    what ``tell`` raises.
    """
    settings = current_settings()

    def stage(name: str, message: str = "") -> None:
        release()
        reached = (name, ALL_STAGES.index(name), len(ALL_STAGES))
        if message:
            tell(*reached, message)
        else:
            tell(*reached)

    stage("prepare_input")
    wanted = prepare(project_id, payload)
    stage("collect_sources")
    unread: list[str] = []
    snapshot = _without(instead_of, _collect(project_id, wanted, should_stop, unread.append))
    wanted = prepare(project_id, payload)  # pages that were read meanwhile may tell the language
    snapshot = replace(snapshot, language=wanted.request.language)
    if unread:
        stage("collect_sources", f"Could not be read: {listed(unread)}.")
    unused = why_not_used(project_id, wanted.named)
    release()
    work = Work(stage, should_stop, remaining, memory)
    written = write(wanted.request, snapshot, choose(payload, settings), settings, work)
    stage("save_draft")
    return replace(written, request=wanted.request.to_dict(), warnings=(*written.warnings, *unused))


def _collect(
    project_id: int, wanted: Input, should_stop: Callable[[], bool], unread: Callable[[str], None]
) -> SourceSnapshot:
    """Return the snapshot for an input; named pages that were never read are read first.

    So are due ones where few pages were read yet and none are named. ``unread`` hears the address of each
    that could not be read.
    """
    request = wanted.request
    wish = Wish(wanted.subject, request.language, wanted.aspects, wanted.page_ids, request.required_page_ids)
    read = partial(read_due_pages, current_settings(), project_id, should_stop=should_stop, unread=unread)
    if waiting := never_read(project_id, wanted.named):
        release()
        read(len(waiting), among=waiting)
    snapshot = collect_snapshot(project_id, wish)
    if wanted.page_ids or len(snapshot.pages) >= READ_FIRST:
        return snapshot
    release()
    return collect_snapshot(project_id, wish) if read(READ_FIRST).read else snapshot


def _without(post_id: int | None, snapshot: SourceSnapshot) -> SourceSnapshot:
    others = tuple(post for post in snapshot.existing_posts if post.id != post_id)
    return replace(snapshot, existing_posts=others)
