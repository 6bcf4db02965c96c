"""Lines that are not a page's own text: labels of links, bylines, share bars, consent. Pure.

A line that is certainly no evidence becomes a label or a byline. Search finds it, but posts do not use it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from app.language.languages import merged, month_numbers
from app.language.schema_pages import Pages
from app.language.words import QUESTION_MARKS, alternatives
from app.pages.extraction.blocks import LINK_SHARE

if TYPE_CHECKING:
    from bs4 import Tag

LABEL: Final = "label"
BYLINE: Final = "byline"
_LINK_WORDS: Final = 4
_LABEL_WORDS: Final = 5
_LISTED_SHARE: Final = 0.7
_LONGEST_LABEL: Final = 80
_LONGEST_BYLINE: Final = 160
_BACK: Final = ("←", "«", "‹", "<<")
_FORWARD: Final = ("→", "»", "›", ">>")
_WORD: Final = re.compile(r"\w+(?:['’.-]\w+)*")
_LETTER: Final = re.compile(r"\w")

_NETWORKS: Final = frozenset(
    """
    tweet facebook twitter x linkedin pinterest reddit whatsapp telegram mastodon bluesky threads
    email e-mail mail
    """.split()
)
_MONTH: Final = r"[^\W\d_]{3,9}\.?"
_MINUTES: Final = r"\d{1,3}[ -]?min(?:ute|uten|uti|utos|s)?s?\.?"
_CODE: Final = re.compile(
    r"v?\d+(?:\.\w+)*|[a-z]{2}(?:[-_][a-z]{2,4})?|current|latest|stable|devel|dev", re.I
)
"""A version, or the code of a language."""
_CODES_APART: Final = re.compile(r"[\s|/,;·•()]+")
_COPYRIGHT: Final = re.compile(
    r"(?:©|copyright (?:©|\(c\)|\d{4})).*|.*\ball rights reserved\.?|.{1,60}\d{4} ?©.*", re.I
)
_COPYRIGHT_END: Final = re.compile(r"(?:©|\(c\)) ?(?:\d{4}\b.{0,60}|.{0,40}\d{4}\W*)\Z", re.I)
_NOTICE: Final = re.compile(
    r"(?:©|copyright (?:©|\(c\)|\d{4})).*\ball rights reserved\b|.*© ?\d{4}.{1,80}\ball rights reserved\.?$",
    re.I,
)
_PARTS: Final = re.compile(r"\s*[·•|–—]\s*|\s+/\s+")


class _Lines:
    """Patterns of the lines around the text of web pages, in all languages."""

    def __init__(self, pages: Pages) -> None:
        self.copy = _pattern("{}", pages.copy)
        self.share = _pattern("{}:?", pages.share)
        self.networks = _NETWORKS | pages.share_words
        self.listed = _pattern(r"{}\s*:", pages.listed)
        self.feedback = _pattern("{}", pages.feedback)
        self.notice = _pattern("{}", pages.notices)
        self.consent = _pattern(r"(?:\w+ ){0,3}{} (?:\w+ ){0,2}cookies\b", pages.use_of_cookies)
        self.previous_next = _pattern(r"\W*{}\W*", pages.previous_next)
        self.related = _pattern("{}", pages.related)
        self.comments = _pattern("{}", pages.comments)
        self.service = _pattern("{}", pages.service)
        self.shop = _pattern(r"\W*{}\W*", pages.shop)
        self.reviews = _pattern("{}", pages.reviews)
        self.more = _pattern(r"\W*{}\W*", pages.more)
        self.reading = re.compile(alternatives(pages.reading), re.I)
        published = rf"(?:{'|'.join(pages.published)})(?: (?:{alternatives(pages.before_dates)}))?:?\s*"
        clock = r"\d{1,2}:\d\d(?: ?[ap]m)?(?: [a-z]{2,4})?"
        time = rf"(?:,? (?:(?:{alternatives(pages.before_times)}) )?{clock})?"
        editors = rf"(?: (?:{'|'.join(pages.authored)}) [\w.-]+(?: [\w.-]+){{0,6}})?"
        month = rf"(?:{alternatives(month_numbers())})\.?"
        date = _date(rf"(?:{month}|{_MONTH})")
        revised = rf"{published}(?:{date}|(?:{_MONTH} )?\d{{4}}|{month})"
        self.dated = re.compile(rf"(?:{revised}|{date}){time}{editors}\.?", re.I)
        before_minutes = (
            rf"(?:(?:{'|'.join(pages.reading_time)}) )?(?:(?:{'|'.join(pages.about_minutes)}) |~ ?)?"
        )
        after_minutes = rf"(?:[ -](?:{alternatives(pages.after_minutes)}))?"
        self.reading_time = re.compile(rf"{before_minutes}{_MINUTES}{after_minutes}", re.I)
        name = rf"(?:(?:{alternatives(pages.name_particles)}|&) )*[^\W\d_a-zà-ÿ][\w.'’-]*,?"
        self.author = re.compile(rf"(?:{'|'.join(pages.authored)}) {name}(?: {name}){{0,6}}")
        # "Posted by ada on 3 May 2024 - 18:55"
        before = alternatives(pages.before_dates | pages.before_times)
        by_user = rf"(?:{'|'.join(pages.saved)}) \S+(?: \S+){{0,3}},?"
        when = rf"(?:{date}(?:,? ?-? ?{clock})?|{clock})"
        self.saved = re.compile(rf"{by_user} (?:(?:{before}) )?{when}\.?", re.I)
        # "Ada Lane, head of sales. Revised May 2024."
        self.signed = re.compile(
            rf"{name}(?: {name}){{1,6}}(?:(?<=,) [^.!?\d]{{1,60}})?(?:(?<=,)|\.) (?i:{revised})\.?"
        )


def _date(month: str) -> str:
    """Return a pattern of dates in digits, and of those with the name of a month."""
    return (
        rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th|\.)? (?:de |d')?"
        rf"{month}(?: de)?,? \d{{4}}|{month} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}})"
    )


@cache
def _lines() -> _Lines:
    return _Lines(merged(lambda language: language.pages))


def _pattern(line: str, patterns: Sequence[str]) -> re.Pattern[str]:
    """Return ``line`` as a pattern, in which ``{}`` stands for any of ``patterns``."""
    return re.compile(line.replace("{}", f"(?:{'|'.join(patterns)})"), re.I)


def kind_of_line(text: str, links: Sequence[str], *, by_author: bool = False) -> str:
    """Return the kind of a single line: label, byline or p; "" if the line is to be dropped.

    ``links``: the texts of its links. ``by_author``: one of them leads to the author of the page.
    """
    if len(text) > _LONGEST_BYLINE:
        return LABEL if len(text) < 3 * _LONGEST_BYLINE and _is_notice(text) else "p"
    if _lines().copy.fullmatch(text):
        return ""
    if _COPYRIGHT.match(text):
        return LABEL
    if _is_byline(text) or (by_author and not text.endswith((".", "!", "?", ":"))):
        return BYLINE
    return LABEL if is_link_label(text, links) or _is_bar(text, links) else "p"


def _is_notice(text: str) -> bool:
    """Return whether a paragraph asks for consent, as to cookies, or is a copyright notice."""
    lines = _lines()
    if lines.notice.fullmatch(text):
        return True
    return any(each.match(text) for each in (lines.consent, _NOTICE))


def is_more(text: str) -> bool:
    """Return whether a link only says that there is more: "Read more →"."""
    return _lines().more.fullmatch(text) is not None


def is_related_heading(text: str, *, in_shop: bool = False) -> bool:
    """Return whether a heading introduces teasers of other pages or, in a shop, its terms of delivery etc."""
    plain = text.rstrip(":….! ")
    return _lines().related.fullmatch(plain) is not None or (
        in_shop and _lines().service.fullmatch(plain) is not None
    )


def ends_in_copyright(text: str) -> bool:
    """Return whether a text ends with a short copyright notice, like that at the foot of a page."""
    return _COPYRIGHT_END.search(text[-_LONGEST_LABEL:]) is not None


def is_comments_heading(text: str, *, in_shop: bool) -> bool:
    """Return whether a heading introduces comments of readers or, in a shop, reviews of customers."""
    plain = text.rstrip(":….! ")
    if _lines().comments.fullmatch(plain):
        return True
    return in_shop and _lines().reviews.fullmatch(plain) is not None


def is_shop_line(text: str) -> bool:
    """Return whether a line on a product page asks the reader to buy or choose, or is a label of reviews."""
    if len(text) <= _LONGEST_LABEL and _lines().shop.fullmatch(text):
        return True
    return len(text.split()) <= _LINK_WORDS and _lines().reviews.fullmatch(text) is not None


def is_button(tag: Tag) -> bool:
    """Return whether an element has the role of a button, or is a link with the class name of one."""
    if tag.get("role") == "button":
        return True
    names = str(tag.get("class", "")).lower().split() if tag.name == "a" else []
    return any(name in ("button", "btn", "cta") or name.startswith(("btn-", "button-")) for name in names)


def is_date(text: str) -> bool:
    """Return whether a text is a date, with what a page puts beside one ("Updated 3 May 2024, 18:55")."""
    return _lines().dated.fullmatch(text) is not None


def is_button_text(text: str) -> bool:
    """Return whether a text is as short as a button's."""
    return len(_WORD.findall(text)) <= _LABEL_WORDS and not text.endswith(QUESTION_MARKS)


def _is_byline(text: str) -> bool:
    """Return whether a line consists of author, date or reading time; another part may be a category.

    A name that is followed by the date of the last revision needs no word such as "by".
    """
    if _lines().signed.fullmatch(text) or _lines().saved.fullmatch(text):
        return True
    parts = [part for part in _PARTS.split(text) if part]
    authors = sum(_lines().author.fullmatch(part) is not None for part in parts)
    dates = sum(_lines().dated.fullmatch(part) is not None for part in parts)
    times = sum(_lines().reading_time.fullmatch(part) is not None for part in parts)
    certain = authors + dates + times
    if authors + dates == 0 and not (times and _lines().reading.search(text)):
        return False
    return certain == len(parts) or (certain == len(parts) - 1 < 5 and (certain > 1 or authors > 0))


def is_link_label(text: str, links: Sequence[str]) -> bool:
    """Return whether a line is one or two links of four words at most, and nothing else.

    A link with an arrow, to the page before or after, may have more words.
    """
    if not 0 < len(links) < 3:
        return False
    if turns_page(text):
        return is_linked(text, links)
    if len(text) > _LONGEST_LABEL:
        return False
    return is_linked(text, links) and all(len(_WORD.findall(link)) <= _LINK_WORDS for link in links)


def turns_page(text: str) -> bool:
    """Return whether an arrow in a line leads to the page before or after."""
    return text.startswith(_BACK) or text.endswith(_FORWARD)


def is_linked(text: str, links: Sequence[str], share: float = LINK_SHARE) -> bool:
    """Return whether at least a share of the letters and digits of a line are in its links."""
    return sum(len(_LETTER.findall(link)) for link in links) >= share * len(_LETTER.findall(text))


def _is_bar(text: str, links: Sequence[str]) -> bool:
    """Return whether a line is a row of share buttons, page numbers, tags or the like."""
    words = text.lower().rstrip(":").split()
    return (
        _lines().share.fullmatch(text) is not None
        or (1 < len(words) <= 12 and _lines().networks.issuperset(words))
        or _lines().previous_next.fullmatch(text) is not None
        or _lines().feedback.fullmatch(text) is not None
        or _is_pager(text)
        or _is_notice(text)
        or _is_listing(text, links)
    )


def is_share_link(text: str, links: Sequence[str]) -> bool:
    """Return whether a line is a link that shares the page: "Tweet", "Share on Facebook"."""
    words = text.lower().split()
    return bool(links) and 0 < len(words) <= _LINK_WORDS and _lines().networks.issuperset(words)


def _is_listing(text: str, links: Sequence[str]) -> bool:
    """Return whether a line lists tags or the like as links, or languages or versions by their codes."""
    label = _lines().listed.match(text)
    if label is None:
        return False
    parts = [part for part in _CODES_APART.split(text[label.end() :]) if part]
    return (bool(parts) and all(_CODE.fullmatch(part) for part in parts)) or (
        bool(links) and is_linked(text.partition(":")[2], links, _LISTED_SHARE)
    )


def _is_pager(text: str) -> bool:
    parts = [part for part in re.split(r"\s*[/|·«»‹›←→]\s*", text) if part]
    return len(parts) > 1 and all(_lines().previous_next.fullmatch(part) or part.isdigit() for part in parts)
