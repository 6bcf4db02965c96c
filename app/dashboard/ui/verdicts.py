"""How a post's checks and sources are shown: the verdict in words, where a check leads, shares as a bar."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import url_for

from app.content.drafts import QualityCheck, QualityReport
from app.content.model import BlogPost
from app.content.posts.reading import Reading
from app.content.quality.verdict import Verdict, is_to_fix, verdict_of
from app.dashboard.ui.presentation import Word

BAR_WIDTH: Final = 400
_GAP: Final = 3
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_LOOKS: Final[Mapping[str, tuple[str, str, str]]] = {
    "blocked": ("bad", "✗", "Not ready"),
    "unfinished": ("warn", "!", "Not ready yet"),
    "almost": ("warn", "!", "Almost ready"),
    "ready": ("good", "✓", "Ready"),
}
_FIELDS: Final[Mapping[str, str]] = {
    "TITLE_MISSING": "title",
    "KEYPHRASE_TITLE": "title",
    "DUPLICATE_TOPIC": "title",
    "SLUG_INVALID": "slug",
    "SLUG_TAKEN": "slug",
    "META_TITLE_LENGTH": "meta_title",
    "DESCRIPTION_LENGTH": "description",
}

_PARTS: Final = (("source", "f1"), ("own", "f4"), ("unsure", "fbad"))


@dataclass(frozen=True)
class ShownVerdict:
    """A verdict in words; ``left`` counts what is to fix and what could be better."""

    tone: str
    sign: str
    title: str
    words: str
    left: int
    checks: Verdict


@dataclass(frozen=True)
class Share:
    """A part of a bar: its look, where it begins and how wide it is."""

    look: str
    x: float
    width: float


def shown_verdict(report: QualityReport) -> ShownVerdict:
    """Return the verdict on a post, such as “Almost ready. One thing to fix, two could be better.”"""
    verdict = verdict_of(report)
    tone, sign, title = _LOOKS[verdict.state]
    to_fix, better = len(verdict.to_fix), len(verdict.better)
    return ShownVerdict(tone, sign, title, f"{_words(to_fix, better)}.", to_fix + better, verdict)


def stored_verdict(quality: Mapping[str, Any] | None) -> ShownVerdict | None:
    """Return the verdict of a stored report; None without one."""
    if not quality:
        return None
    checks = tuple(QualityCheck(**check) for check in quality["checks"])
    return shown_verdict(QualityReport(quality["decision"], quality["score"], checks))


def left_to_do(post: BlogPost) -> str:
    """Return what a draft's last checks left to do, such as “two things to fix”; empty if nothing."""
    verdict = stored_verdict(post.quality) if post.status == "draft" else None
    count = len(verdict.checks.to_fix) if verdict else 0
    return f"{_number(count)} {'thing' if count == 1 else 'things'} to fix" if count else ""


def _words(to_fix: int, better: int) -> str:
    things = "thing" if (to_fix or better) == 1 else "things"
    if to_fix and better:
        return f"{_number(to_fix).capitalize()} {things} to fix, {_number(better)} could be better"
    if to_fix:
        return f"{_number(to_fix).capitalize()} {things} to fix"
    return f"{_number(better).capitalize()} {things} could be better" if better else "Nothing to fix"


def _number(value: int) -> str:
    return _NUMBERS[value] if value < len(_NUMBERS) else str(value)


def check_word(check: QualityCheck) -> Word:
    if check.severity == "block":
        return Word("✗", "Blocks", "bad")
    if is_to_fix(check.code, check.severity):
        return Word("!", "To fix", "warn")
    return Word("○", "Could be better", "muted")


def field_of(check: QualityCheck) -> str:
    """Return the id of the field of the edit page that a check is about; most are about the text."""
    return _FIELDS.get(check.code, "content")


def check_places(
    post: BlogPost, report: QualityReport, reading: Reading, text_url: str = ""
) -> dict[str, str]:
    """Return where the failed checks of a post lead, by code: to a sentence, or to a field of its editor.

    ``text_url`` is that of the page that has the text, if it is another one.
    """
    failed = (check for check in report.checks if not check.passed)
    found = ((check.code, _place(post, check, reading, text_url)) for check in failed)
    return {code: place for code, place in found if place}


def _place(post: BlogPost, check: QualityCheck, reading: Reading, text_url: str) -> str | None:
    if check.code in _FIELDS:
        here: dict[str, Any] = {"project_id": post.project_id, "post_id": post.id}
        return url_for("posts.edit", _anchor=_FIELDS[check.code], **here)
    numbers = (number for where in check.where for number in _sentences_with(where, reading))
    return next((f"{text_url}#t-{number}" for number in numbers), None)


def _sentences_with(words: str, reading: Reading) -> Iterator[int]:
    """Yield the sentences that contain what a check found; it may be the beginning of one."""
    sought = words.rstrip("…").strip()
    return (number for number, said in sorted(reading.sentences.items()) if sought and sought in said.text)


def numbers_of(reading: Reading, kind: str) -> list[int]:
    return [number for number, said in sorted(reading.sentences.items()) if said.kind == kind]


def shares(counts: Mapping[str, int]) -> list[Share]:
    """Return the parts of the bar that shows where the sentences of a post are from."""
    present = [(counts[kind], look) for kind, look in _PARTS if counts.get(kind)]
    total, available = sum(count for count, _ in present), BAR_WIDTH - _GAP * max(len(present) - 1, 0)
    found: list[Share] = []
    x = 0.0
    for count, look in present:
        width = round(available * count / total, 1)
        found.append(Share(look, round(x, 1), width))
        x += width + _GAP
    return found


GLOBALS: Final = (left_to_do, shown_verdict, field_of, check_word, numbers_of, shares)
