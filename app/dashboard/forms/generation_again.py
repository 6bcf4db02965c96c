"""Fills the form of a generation with the input of an earlier job."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from app.content.request import LENGTHS
from app.dashboard.forms.generation import DECLINES, LENGTH_CHOICES, TEXTS


def filled_from(
    payload: Mapping[str, Any], named: Mapping[int, str], offered: Collection[str]
) -> dict[str, Any]:
    """Return the initial values of the form for the input of an earlier job.

    ``named`` has the texts of its ``keyword_ids``. ``offered`` has the ids that the form can select: the
    first keyword is selected, the others become texts.
    """
    given = {name: value for name, value in payload.items() if value is not None}
    words = str(given.get("target_words") or LENGTHS[given.get("length", "medium")])
    usual = words in dict(LENGTH_CHOICES)
    include, links = given.get("include", {}), given.get("internal_links", {})
    closing = given.get("call_to_action", {})
    shown: dict[str, Any] = {name: given[name] for name in TEXTS if name in given}
    shown |= {name: given[name] for name in ("key_points", "avoid") if name in given}
    chosen, more = _keywords(given.get("keyword_ids", ()), named, offered)
    shown |= {
        "keyword": chosen,
        "keywords": list(dict.fromkeys([*more, *given.get("keywords", ())])),
        "length": words if usual else "900",
        "words": "" if usual else words,
        "page_ids": given.get("page_ids"),
        "required_page_ids": given.get("required_page_ids"),
        "outline": _outline_lines(given.get("outline", ())),
        "closing_text": closing.get("text"),
        "closing_url": closing.get("url"),
        "fewest": _shown(links.get("min")),
        "most": _shown(links.get("max")),
        "table_of_contents": include.get("table_of_contents", False),
        "key_takeaways": include.get("key_takeaways", False),
        "no_faq": not include.get("faq", True),
        "no_json_ld": not include.get("json_ld", True),
    }
    return shown | {box: member in payload and not payload[member] for box, member in DECLINES.items()}


def _keywords(
    ids: Sequence[int], named: Mapping[int, str], offered: Collection[str]
) -> tuple[str, list[str]]:
    chosen = str(ids[0]) if ids and str(ids[0]) in offered else ""
    return chosen, [named[each] for each in ids if each in named and str(each) != chosen]


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)


def _outline_lines(outline: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> list[str]:
    sections = outline.get("sections", ()) if isinstance(outline, Mapping) else outline
    return [
        line
        for section in sections
        for line in (section["heading"], *(f"- {point}" for point in section.get("key_points") or ()))
    ]
