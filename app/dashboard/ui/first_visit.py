"""The checklist of the first visit: what is done, what goes on now, and what comes next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app.dashboard.ui.presentation import counted

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
        return SIGNS[self.state]

    @property
    def spoken(self) -> str:
        return WORDS[self.state]


def steps_before_a_site() -> list[Milestone]:
    return [
        Milestone("Account", state="done"),
        Milestone("Your site", "Its address is enough", "now"),
        Milestone("Your pages", "Found and read for you"),
        Milestone("First draft", "From an idea of your own pages"),
        Milestone("Connect your blog", "WordPress, Ghost or your own"),
        Milestone("First post live", "You decide when"),
    ]


def with_states(lines: Sequence[tuple[bool, Milestone]]) -> list[Milestone]:
    """Return lines with their states. The first one that is not done is the one to do now."""
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
    count = len(idea["pages"])
    by = f"by {'at least ' if count >= MOST_NAMED else ''}{counted(count, 'page')}."
    return {
        "covered": CoverageWords((True, True, True), "Well covered", by),
        "perhaps": CoverageWords((True, True, False), "Partly covered", by),
        "absent": CoverageWords((False, False, False), "Not covered yet.", "A draft would be an outline."),
    }[idea["coverage"]]


def visit_words(is_writing: bool, is_syncing: bool, ideas: int, pages: int) -> str:
    if is_writing:
        return "The draft is being written."
    if is_syncing:
        return "Your sitemap is being read."
    if ideas:
        return f"{ideas} ideas are ready."
    return "Your pages are being read." if pages else "No page could be found."


GLOBALS: Final = (idea_coverage, visit_words)
