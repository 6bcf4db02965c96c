"""The checklist of the first visit: what is done, what goes on now, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from flask import url_for

from app.dashboard.ui.presentation import counted
from app.projects.model import Project

SIGNS: Final = {"done": "✓", "now": "◐", "": "○"}
MOST_NAMED: Final = 5
"""An idea names no more pages than these."""

WORDS: Final = {"done": "done", "now": "now", "": "to do"}


@dataclass(frozen=True)
class Milestone:
    """One line of the checklist. ``state`` is done, now or empty; ``url`` leads to where it is done.

    ``action`` is what to press there, empty while it goes on by itself.
    """

    title: str
    words: str = ""
    state: str = ""
    url: str | None = None
    action: str = ""

    @property
    def sign(self) -> str:
        """The sign of its state."""
        return SIGNS[self.state]

    @property
    def spoken(self) -> str:
        """Its state in a word, for those who do not see the sign."""
        return WORDS[self.state]


@dataclass(frozen=True)
class Progress:
    """What the checklist of a site depends on."""

    pages: str
    pages_done: bool
    pages_go_on: bool
    draft: str
    has_draft: bool
    is_writing: bool
    draft_url: str | None
    has_target: bool
    is_published: bool


def steps_before_a_site() -> list[Milestone]:
    """Return the checklist of an account without a site."""
    return [
        Milestone("Account", state="done"),
        Milestone("Your site", "Its address is enough", "now"),
        Milestone("Your pages", "Found and read for you"),
        Milestone("First draft", "From an idea of your own pages"),
        Milestone("Connect your blog", "WordPress, Ghost or your own"),
        Milestone("First post live", "You decide when"),
    ]


def steps_of(project: Project, progress: Progress) -> list[Milestone]:
    """Return the checklist of a site. The first line that is not done is the one to do now."""
    here: dict[str, Any] = {"project_id": project.id}
    pages, targets = url_for("pages.index", **here), url_for("targets.index", **here)
    posts, write = url_for("posts.index", **here), url_for("posts.generate", **here)
    to_pages = "" if progress.pages_go_on else "Add pages"
    to_draft = "" if progress.is_writing else "Open it" if progress.draft_url else "Write a post"
    lines = (
        (True, Milestone("Account")),
        (True, Milestone("Your site", project.name)),
        (progress.pages_done, Milestone("Your pages", progress.pages, url=pages, action=to_pages)),
        (
            progress.has_draft,
            Milestone("First draft", progress.draft, url=progress.draft_url or write, action=to_draft),
        ),
        (
            progress.has_target,
            Milestone(
                "Connect your blog",
                "" if progress.has_target else "WordPress, Ghost or your own",
                url=targets,
                action="Connect it",
            ),
        ),
        (
            progress.is_published,
            Milestone("First post live", "You decide when", url=posts, action="Choose a post"),
        ),
    )
    first_open = next((number for number, (done, _) in enumerate(lines) if not done), len(lines))
    return [
        replace(line, state="done" if done else "now" if number == first_open else "")
        for number, (done, line) in enumerate(lines)
    ]


@dataclass(frozen=True)
class CoverageWords:
    """How well the pages cover an idea: three dots, a word in bold and the rest of the sentence."""

    dots: tuple[bool, bool, bool]
    word: str
    rest: str


def idea_coverage(idea: Mapping[str, Any]) -> CoverageWords:
    """Return how well the pages cover an idea, in words."""
    count = len(idea["pages"])
    by = f"by {'at least ' if count >= MOST_NAMED else ''}{counted(count, 'page')}."
    return {
        "covered": CoverageWords((True, True, True), "Well covered", by),
        "perhaps": CoverageWords((True, True, False), "Partly covered", by),
        "absent": CoverageWords((False, False, False), "Not covered yet.", "A draft would be an outline."),
    }[idea["coverage"]]


def visit_words(is_writing: bool, is_syncing: bool, ideas: int, pages: int) -> str:
    """Return what is said aloud when the page has changed."""
    if is_writing:
        return "The draft is being written."
    if is_syncing:
        return "Your sitemap is being read."
    if ideas:
        return f"{ideas} ideas are ready."
    return "Your pages are being read." if pages else "No page could be found."
