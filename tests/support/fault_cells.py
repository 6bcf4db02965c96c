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
    "as wanted after trying again", "drafts left", "contradictions",
)  # fmt: skip
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
    """Hidden drafts that nothing removes, after everybody tried again."""
    well: int = 0
    """Posts that are as wanted after trying again, here and there."""

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
        ids = {f"{self.titles}{count}": self._disturbed(count) for count in range(1, number + 1)}
        there = _by_title(self.posts(self.titles))
        for title, post_id in ids.items():
            self._judge(title, post_id, there.get(title, []))
        for post_id in ids.values():
            self._try_again(post_id)
        there = _by_title(self.posts(self.titles))
        for title, post_id in ids.items():
            self._judge_end(title, post_id, there.get(title, []))

    def _disturbed(self, count: int) -> int:
        project = db.session.get_one(Project, self.project_id)
        job_id = job_of(project, "succeeded")
        title, slug = f"{self.titles}{count}", f"run-{self.name}-{count}"
        post_id = post_of(project, title=title, slug=slug, content=_edition(1), job_id=job_id).id
        upload_cover(fresh(post_id), PICTURE, "image/png")
        if self.step == "delete":
            publish(post_id, visibility="draft", **_OVERRIDE)
            self._generated(job_id)
        elif self.step in ("update", "unpublish"):
            publish(post_id, **_OVERRIDE)
        if self.step == "update":
            _change(post_id)
        with self.disturbance():
            self._act(post_id)
        return post_id

    def _generated(self, job_id: int) -> None:
        """Let the post's job be one that can be rolled back."""
        db.session.execute(
            update(ExecutionJob).where(ExecutionJob.id == job_id).values(operation="GENERATE_BLOG_POST")
        )
        db.session.commit()

    def _act(self, post_id: int) -> None:
        if self.step == "unpublish":
            unpublish(post_id)
        elif self.step == "delete":
            job_id = fresh(post_id).job_id
            assert job_id is not None
            roll_back(job_now(job_id))
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

    def _judge(self, title: str, post_id: int, there: list[Shown]) -> None:
        live = [post for post in there if post.is_live]
        self.hidden += len(there) - len(live)
        if self.step == "delete":
            self.verdicts["not deleted yet" if there else "deleted"] += 1
            return
        publication = publication_of(post_id)
        verdict = _verdict(self.step, publication, fresh(post_id), live)
        if verdict is None or len(there) > 1:
            editions = [_number(post.text) for post in live]
            self.wrong.append(
                f"{title}: {publication.state} here as {fresh(post_id).status}, editions {editions} live "
                f"there, {len(there) - len(live)} hidden, failure {_code(publication.failure)}"
            )
            verdict = "WRONG"
        self.verdicts[verdict] += 1

    def _judge_end(self, title: str, post_id: int, there: list[Shown]) -> None:
        live = [post for post in there if post.is_live]
        if self.step in ("unpublish", "delete"):
            is_well = not live
        else:
            edition = 2 if self.step == "update" else 1
            is_well = [_number(post.text) for post in live] == [edition]
            is_well = is_well and publication_of(post_id).state == "live" and len(there) == 1
        if self.step == "unpublish":
            is_well = is_well and publication_of(post_id).state == "unpublished"
        else:
            self.left += len(there) - len(live)
        self.well += is_well
        if not is_well:
            self.wrong.append(f"{title}: {len(live)} live of {len(there)} there after trying again")


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
    if count > 1 or (post.status == "published") != (state == "live") or post.status == "publishing":
        return None
    if step == "unpublish" and state == "unpublished":
        return None if live else "hidden, recorded so"
    if step == "unpublish":
        return f"{'live' if live else 'hidden'} there, live here, {code}" if code else None
    if state == "unknown":
        return f"{count} live, unknown here, {code}"
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
        number = sum(cell.verdicts.values())
        ends = f"{cell.well} of {number}"
        yield [cell.kind, cell.step, cell.fault, verdicts, cell.hidden, ends, cell.left, len(cell.wrong)]
