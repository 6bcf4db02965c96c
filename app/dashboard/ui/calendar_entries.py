"""How the calendar shows an entry: its sign and words, where it leads, and whether it can be moved."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from flask import url_for

from app.content.model import BlogPost
from app.dashboard.ui.presentation import STATUS, Word
from app.dashboard.ui.verdicts import stored_verdict
from app.infra.clock import utc_now
from app.projects.model import Project
from app.publishing.planned import Entry

MOST_OF_A_DAY: Final = 6

_WORDS: Final[Mapping[str, Word]] = {
    "waiting": Word("◌", "planned", "busy"),
    "refused": STATUS["planned_refused"],
    "failed": STATUS["not_published"],
    "published": STATUS["live"],
    "next_run": Word("◌", "autopilot", ""),
    "later_run": Word("◌", "autopilot", ""),
    "run_failed": Word("✗", "autopilot, failed", "bad"),
    "run_missed": Word("✗", "autopilot, missed", "bad"),
}

_TO_COME: Final = frozenset({"waiting", "next_run", "later_run"})


@dataclass(frozen=True)
class Shown:
    """An entry as it is shown. ``move_url`` is empty for what stays where it is.

    What ``is_to_come`` may be late: a publication waits for its turn.
    """

    id: str
    moment: datetime
    word: Word
    title: str
    url: str
    move_url: str = ""
    where: str = ""
    is_to_come: bool = False


@dataclass
class Day:
    """A day of the reader's zone: its first entries, and how many more there are."""

    date: date
    is_today: bool = False
    is_past: bool = False
    entries: list[Shown] = field(default_factory=list)
    more: int = 0

    def add(self, entry: Shown) -> None:
        if len(self.entries) < MOST_OF_A_DAY:
            self.entries.append(entry)
        else:
            self.more += 1

    @property
    def label(self) -> str:
        """The number of the day; the first of a month has its name, too."""
        return self.date.strftime("%-d %b" if self.date.day == 1 else "%-d")

    @property
    def kinds(self) -> str:
        named = {"today": self.is_today, "out": self.is_past, "bare": not self.entries}
        return " ".join(["day", *(name for name, applies in named.items() if applies)])


def shown_entry(project: Project, entry: Entry, zone: ZoneInfo, back: str) -> Shown:
    """Return how an entry is shown; its form leads back to ``back``, at the entry."""
    local = entry.moment.astimezone(zone)
    name = f"entry-{entry.schedule_id or f'{entry.state}-{entry.post_id or int(local.timestamp())}'}"
    move = ""
    if entry.state == "waiting":
        there = f"{back}#{name}"
        move = url_for("schedule.move", project_id=project.id, schedule_id=entry.schedule_id, back=there)
    return Shown(
        id=name,
        moment=local,
        word=_WORDS["refused" if entry.will_be_refused else entry.state],
        title=entry.title,
        url=move or _address(project, entry),
        move_url=move,
        where=entry.target,
        is_to_come=entry.state in _TO_COME,
    )


def shown_draft(project: Project, post: BlogPost) -> Shown:
    """Return how the tray shows a draft without a time; it leads to the form of the time."""
    url = url_for("schedule.new", project_id=project.id, post_id=post.id)
    verdict = stored_verdict(post.quality)
    ready = "an outline" if post.draft_kind == "outline" else verdict.title.lower() if verdict else ""
    words = f"draft, {ready}" if ready else "draft"
    return Shown(f"draft-{post.id}", utc_now(), Word("◌", words, ""), post.title, url)


def _address(project: Project, entry: Entry) -> str:
    if entry.state == "next_run":
        return url_for("autopilot.next_run", project_id=project.id)
    if not entry.post_id:
        return url_for("autopilot.index", project_id=project.id)
    anchor = "schedule" if entry.state == "failed" else None
    return url_for("posts.show", project_id=project.id, post_id=entry.post_id, _anchor=anchor)
