"""Posts whose publishing is disturbed once each, through whole jobs, and what became of them."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import pytest
from sqlalchemy import update

from app.content.model import BlogPost
from app.content.posts.covers import upload_cover
from app.executions.model import ExecutionJob
from app.executions.rollback import roll_back
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from app.publishing.abandoned import delete_abandoned_drafts
from app.publishing.document import content_sha256
from app.publishing.model import AbandonedDraft, Publication
from app.publishing.targets import http_calls
from app.publishing.targets.wordpress import discovery
from tests.support.gateway import FAULTS, SLOW
from tests.support.pictures import picture
from tests.support.publishing import TEXT, fresh, job_now, job_of, post_of, publication_of, publish, unpublish
from tests.support.target_places import Place, Shown

STEPS: Final = ("upload", "create", "publish", "update", "unpublish", "delete")
"""The writes of a post's life at a target; a kind may have only some of them."""

HEAD: Final = (
    "target", "step", "fault", "after the fault", "hidden drafts",
    "after trying again", "drafts left", "contradictions",
)  # fmt: skip
WELL: Final = ("one live, recorded so", "hidden, recorded so", "deleted")
PICTURE: Final = picture(size=(640, 336))
_EDITION: Final = re.compile(r"Edition (\d+)\.")
_OVERRIDE: Final = {"override_quality_gate": True, "override_reason": "Only its fate matters."}


@dataclass
class Cell:
    """One step at one kind of target under one fault.

    ``posts`` returns the posts there whose titles begin so, and ``remove`` removes them. ``disturbance``
    spoils the step once, for each post anew.
    """

    kind: str
    project_id: int
    step: str
    fault: str
    posts: Callable[[str], list[Shown]]
    remove: Callable[[str], None]
    disturbance: Callable[[], AbstractContextManager[None]]
    name: str = field(default_factory=lambda: secrets.token_hex(4))
    verdicts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    hidden: int = 0
    """Hidden drafts right after the fault."""
    left: int = 0
    """Hidden drafts after everybody tried again; those of unpublished posts are meant to stay."""
    ends: Counter[str] = field(default_factory=Counter)
    """What became of the posts after trying again: well, or which failure came then."""

    @property
    def titles(self) -> str:
        """How the titles of its posts begin."""
        return f"Posts of run {self.name}, number "

    def run(self, number: int) -> None:
        """Disturb so many posts, one after the other; then try again with each, and remove them there."""
        try:
            self._run(number)
        finally:
            self.remove(self.titles)

    def _run(self, number: int) -> None:
        ids = {f"{self.titles}{count}": self.disturb(count) for count in range(1, number + 1)}
        there = _by_title(self.posts(self.titles))
        for title, post_id in ids.items():
            self.verdicts[self._judged(title, post_id, there.get(title, []))] += 1
        self.hidden = _hidden(there)
        for post_id in ids.values():
            self._try_again(post_id)
        there = _by_title(self.posts(self.titles))
        for title, post_id in ids.items():
            verdict = self._judged(title, post_id, there.get(title, []))
            self.ends[verdict if verdict not in WELL else "well"] += 1
        self.left = 0 if self.step == "unpublish" else _hidden(there)

    def disturb(self, count: int) -> int:
        """Take a new post to the step, disturb that, and return the post's id."""
        project = db.session.get_one(Project, self.project_id)
        job_id = job_of(project, "succeeded")
        generated = (
            update(ExecutionJob).where(ExecutionJob.id == job_id).values(operation="GENERATE_BLOG_POST")
        )
        db.session.execute(generated)
        title, slug = f"{self.titles}{count}", f"run-{self.name}-{count}"
        post_id = post_of(project, title=title, slug=slug, content=_edition(1), job_id=job_id).id
        upload_cover(fresh(post_id), PICTURE, "image/png")
        if self.step == "delete":
            publish(post_id, visibility="draft", **_OVERRIDE)
        elif self.step in ("update", "unpublish"):
            publish(post_id, **_OVERRIDE)
        if self.step == "update":
            _change(post_id)
        with self.disturbance():
            self._act(post_id)
        return post_id

    def _act(self, post_id: int) -> None:
        if self.step == "unpublish":
            unpublish(post_id)
        elif self.step == "delete":
            roll_back_post(post_id)
            delete_abandoned_drafts()
        else:
            publish(post_id, **_OVERRIDE)

    def _try_again(self, post_id: int) -> None:
        if self.step == "delete":
            db.session.execute(update(AbandonedDraft).values(next_try_at=utc_now()))
            db.session.commit()
            delete_abandoned_drafts()
        elif self.step == "unpublish":
            unpublish(post_id)
        else:
            publish(post_id, **_OVERRIDE)

    def _judged(self, title: str, post_id: int, there: list[Shown]) -> str:
        """Return what became of a post; note one that contradicts the database, or is there twice."""
        if self.step == "delete":
            return "not deleted yet" if there else "deleted"
        publication, post = publication_of(post_id), fresh(post_id)
        live = [shown for shown in there if shown.is_live]
        verdict = _verdict(self.step, publication, post, live)
        if verdict is not None and len(there) < 2:
            return verdict
        editions = [_number(shown.text) for shown in live]
        self.wrong.append(
            f"{title}: {publication.state} here as {post.status}, editions {editions} live there, "
            f"{len(there) - len(live)} hidden, failure {_code(publication.failure)}"
        )
        return "WRONG"


def roll_back_post(post_id: int) -> None:
    """Roll back the job that generated a post."""
    job_id = fresh(post_id).job_id
    assert job_id is not None
    roll_back(job_now(job_id))


def cell_at(place: Place, project_id: int, step: str, fault: str) -> Cell:
    """Return the cell of a step at a place that is called over HTTP."""
    disturbance = partial(_spoiled, place, step, fault)
    return Cell(place.kind, project_id, step, fault, place.posts, place.remove, disturbance)


@contextmanager
def _spoiled(place: Place, step: str, fault: str) -> Iterator[None]:
    """Spoil the first call of the step; give up slow ones soon."""
    place.gateway.requests.clear()
    place.gateway.spoil_once(place.steps[step], FAULTS[fault])
    with pytest.MonkeyPatch.context() as patch:
        if fault in SLOW:
            patch.setattr(http_calls, "CALL_SECONDS", place.patience)
            patch.setattr(discovery, "CALL_SECONDS", place.patience)
        yield
    if not place.gateway.was_spoiled():
        raise RuntimeError(f"{place.kind}: no call was the {step}")
    place.gateway.mend()


def _verdict(step: str, publication: Publication, post: BlogPost, live: list[Shown]) -> str | None:
    """Return what became of a post, None if the database and the target contradict each other."""
    code, state, count = _code(publication.failure), publication.state, len(live)
    if step == "unpublish" and state == "unknown":
        return f"{'live' if live else 'hidden'} there, unknown here, {code}"
    if count > 1 or (post.status == "published") != (state == "live") or post.status == "publishing":
        return None
    if step == "unpublish" and state == "unpublished":
        return None if live else "hidden, recorded so"
    if step == "unpublish":
        return f"{'live' if live else 'hidden'} there, live here, {code}" if code or live else None
    if state == "unknown":
        return f"{count} live, unknown here, {code}"
    if state == "draft":
        return None if live else "hidden draft, recorded so"
    if state == "failed":
        return None if live or not code else f"none, failed, {code}"
    if not live:
        return None
    return _verdict_of_live(step, publication, post, _number(live[0].text))


def _verdict_of_live(step: str, publication: Publication, post: BlogPost, edition: int) -> str | None:
    code, wanted = _code(publication.failure), 2 if step == "update" else 1
    if publication.content_sha256 == "":
        return f"edition {edition} live, unknown here, {code}"
    has_present_text = publication.content_sha256 == content_sha256(post)
    if has_present_text != (edition == wanted):
        return None
    return "one live, recorded so" if has_present_text else f"former text, recorded so, {code}"


def _edition(number: int) -> str:
    return f"{TEXT}\nEdition {number}.\n"


def _number(text: str) -> int:
    found = _EDITION.search(text)
    return int(found[1]) if found else 0


def _change(post_id: int) -> None:
    post = fresh(post_id)
    post.content, post.version = _edition(2), post.version + 1
    db.session.commit()


def _hidden(posts: Mapping[str, list[Shown]]) -> int:
    return sum(not post.is_live for found in posts.values() for post in found)


def _code(failure: Mapping[str, object] | None) -> str:
    return str(failure["code"]) if failure else ""


def _by_title(posts: list[Shown]) -> dict[str, list[Shown]]:
    found: dict[str, list[Shown]] = {}
    for post in posts:
        found.setdefault(post.title, []).append(post)
    return found


def rows_of(cells: Iterable[Cell]) -> Iterator[list[object]]:
    """Yield a row of the table for each cell."""
    for cell in cells:
        verdicts = ", ".join(f"{verdict} {count}" for verdict, count in cell.verdicts.most_common())
        ends = ", ".join(f"{end} {count}" for end, count in cell.ends.most_common())
        yield [cell.kind, cell.step, cell.fault, verdicts, cell.hidden, ends, cell.left, len(cell.wrong)]
