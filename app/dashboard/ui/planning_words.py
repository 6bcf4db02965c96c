"""The words of the pages on which a post is planned: coverage, cost, time and the passages of a part."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.content.artefacts import Coverage
from app.content.planning.expected import Expected, TopicCheck
from app.dashboard.ui.presentation import counted, dollars, number
from app.executions.estimates import Estimate

ENOUGH_WORDS: Final = 25
"""A part whose passages have fewer words would be only a sentence or two."""

_COVERAGE: Final[Mapping[Coverage, str]] = {
    "covered": "Well covered",
    "perhaps": "Thinly covered",
    "absent": "Not covered",
}
_MOST_OF_AN_OUTLINE: Final = 0.3
"""How much of the meter is filled at most where the pages allow an outline only."""

_ORIGINS: Final[Mapping[str, tuple[str, str]]] = {
    "keyword": ("tags", "Keyword"),
    "question": ("question-circle", "Question of the site"),
    "comparison": ("arrow-left-right", "Comparison"),
    "how_to": ("list-ol", "How-to"),
    "cost": ("cash-coin", "Prices"),
    "model": ("stars", "Angle of the model"),
}


def coverage_words(expected: Expected) -> str:
    if expected.draft_kind == "outline" and expected.coverage == "perhaps":
        return "Too little for a draft"
    if expected.coverage == "covered" and expected.is_short:
        return "Covered, but briefly"
    return _COVERAGE[expected.coverage]


def expected_words(check: TopicCheck) -> str:
    """Return what a draft about a checked topic would be, with what the pages lack if they lack something."""
    expected = check.expected
    if expected is None:
        return "Your pages are long. “Check topic” reads them and says what a draft would be."
    if expected.draft_kind == "extractive" and expected.coverage == "covered":
        return expected.message
    return f"{check.summary} {expected.message}"


def coverage_percent(check: TopicCheck) -> int:
    """Return how much of a draft about a checked topic the pages carry, as a percentage."""
    share = min(1.0, max(0.0, check.coverage_share))
    expected = check.expected
    if expected is None or expected.draft_kind == "outline":
        return round(100 * min(share, _MOST_OF_AN_OUTLINE))
    return round(100 * min(share, (expected.word_count or expected.target_words) / expected.target_words))


def pages_words(check: TopicCheck) -> str:
    return counted(len(check.pages), "page") if check.pages else "no page"


def time_words(estimate: Estimate) -> str:
    if estimate.seconds is None:
        return "a minute or two" if estimate.by_model else "some seconds"
    if estimate.seconds < 1:
        return "about a second"
    if estimate.seconds < 90:
        return f"about {round(estimate.seconds)} s"
    return f"about {round(estimate.seconds / 60)} min"


def cost_words(estimate: Estimate) -> str:
    if not estimate.by_model:
        return "nothing: no language model is used"
    if estimate.cost_usd is None:
        return "not known yet"
    cost = dollars(estimate.cost_usd)
    return cost if cost.startswith("less") else f"about {cost}"


def quota_words(estimate: Estimate) -> str:
    used = number(estimate.posts_this_month)
    if estimate.monthly_limit is None:
        return f"{used} written, no limit"
    return f"{used} of {number(estimate.monthly_limit)} posts used"


def pages_of_passages(passages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the first passage of each page, in order; passages without a page stand for themselves."""
    by_page = {each.get("url") or each["id"]: each for each in reversed(passages)}
    return [each for each in passages if by_page.get(each.get("url") or each["id"]) is each]


def passages_words(passages: Sequence[Mapping[str, Any]], words: str | None) -> str:
    """Return how much a part of a plan rests on, such as ``6 passages, about 180 words``.

    ``words`` is the planned length; without one the words of the passages are counted.
    """
    count = counted(len(passages), "passage")
    if words and words != "0":
        return f"{count}, about {words} words"
    return f"{count}, {number(_words_of(passages))} words on your pages"


def too_few_words(passages: Sequence[Mapping[str, Any]]) -> str:
    """Return the warning about a part that too little is known of, empty for enough."""
    if not passages:
        return "No passage yet: the writer looks for what your pages say on it."
    if _words_of(passages) >= ENOUGH_WORDS:
        return ""
    count = "One passage only." if len(passages) == 1 else "Short passages only."
    return f"{count} This part would be a sentence or two."


def _words_of(passages: Sequence[Mapping[str, Any]]) -> int:
    return sum(len(each["text"].split()) for each in passages)


def idea_origin(origin: str) -> tuple[str, str]:
    return _ORIGINS.get(origin, ("lightbulb", origin))


FILTERS: Final = (
    coverage_percent,
    coverage_words,
    cost_words,
    expected_words,
    idea_origin,
    pages_of_passages,
    pages_words,
    passages_words,
    quota_words,
    time_words,
    too_few_words,
)
