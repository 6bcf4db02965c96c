"""What shows readers who a site is and how to reach it: they come from a search and know neither. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from app.content.artefacts import DESCRIPTION, SourcePage, evidence_id
from app.content.evidence.sections import page_name
from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import looks_active
from app.language.languages import language_data
from app.language.words import fold, words

_FIRST: Final = 2
"""Paragraphs of the home page, and units with a way to reach the site."""
_LONGEST: Final = 600
_TELEPHONE: Final = re.compile(
    r"(?<![\w.])(?:\+\d{1,3}|0\d{2,5}|\(0?\d{2,5}\))[ ()/-]{0,3}\d[\d -]{3,}\d(?!\w)", re.ASCII
)
_MAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PROSE: Final = frozenset({"paragraph", "list", "definition", "table"})


def about_site(units: Sequence[EvidenceUnit], home_pages: Collection[int]) -> tuple[EvidenceUnit, ...]:
    """Return the first paragraphs of the home page, and where a telephone number and an e-mail address stand.

    The page with most of these comes first: it is the one on how to reach the site.
    """
    short = [unit for unit in units if unit.kind in _PROSE and len(unit.text) <= _LONGEST]
    said = [unit for unit in short if unit.kind == "paragraph" and unit.page_id in home_pages][:_FIRST]
    reached = [unit for unit in short if names_telephone(unit.text) or names_mail(unit.text)]
    counts = Counter(unit.page_id for unit in reached)
    reached.sort(key=lambda unit: -counts[unit.page_id])
    by_kind = [next((u for u in reached if names(u.text)), None) for names in (names_telephone, names_mail)]
    chosen = dict.fromkeys((*filter(None, by_kind), *reached))
    return tuple(dict.fromkeys((*said, *list(chosen)[:_FIRST])))


def self_descriptions(
    pages: Sequence[SourcePage], home_pages: Collection[int], name: str, language: str
) -> tuple[EvidenceUnit, ...]:
    """Return the descriptions that say who a site is: the home page's, and one such as "Larder is …"."""
    being = language_data(language).words.being

    def says_what_it_is(page: SourcePage) -> bool:
        said = fold(page.description or "").lower()
        after = words(said[len(name) :])[:1]
        return page.page_id not in home_pages and said.startswith(name.lower()) and {*after} <= being

    home = [page for page in pages if page.page_id in home_pages][:1]
    found = [*home, *filter(says_what_it_is, pages)][: len(home) + 1]
    return tuple(map(_described, filter(_is_shown, found)))


def _is_shown(page: SourcePage) -> bool:
    said = fold(page.description or "")
    return 0 < len(said) <= _LONGEST and not looks_active(said)


def _described(page: SourcePage) -> EvidenceUnit:
    unit_id = evidence_id(page.page_id, DESCRIPTION)
    said = fold(page.description or "")
    return EvidenceUnit(unit_id, "paragraph", page.page_id, page_name(page), (), said, ())


def names_telephone(text: str) -> bool:
    """Return whether a text has a telephone number."""
    return _TELEPHONE.search(text) is not None


def names_mail(text: str) -> bool:
    """Return whether a text has an e-mail address."""
    return _MAIL.search(text) is not None
