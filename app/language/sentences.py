"""Where the sentences of a text end, in any language. Pure.

A mark ends a sentence if a new one may begin after it, and if it belongs to no abbreviation, initial or
ordinal number and is not inside open Japanese or Chinese brackets. Where this is not clear, two sentences
stay together: a longer quotation is better than half a sentence.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

from app.language.languages import merged
from app.language.schema import Sentences
from app.language.words import CJK, fold, is_unspaced

QUOTATION: Final = re.compile(
    r"[“„«‹‟]([^“”„«»‹›‟]+)[”“»›]|「([^「」]+)」|『([^『』]+)』|\"([^\"]+)\""
    r"|(?<!\w)['‘]([^'‘’]+ [^'‘’]+)['’](?!\w)"
)
"""Words between quotation marks, in the one group that is not empty."""

_WIDE_ENDS: Final = "。！？｡．"
_OTHER_ENDS: Final = "؟۔।॥።։។၊။"
_CLOSERS: Final = "\"'”’»)\\]」』）】》〉›"
# A closing guillemet in French follows a space; the opening one in German precedes a letter.
_END: Final = re.compile(
    rf"(?<![.!?…])[.!?…]++(?:[{_CLOSERS}“‘«‹]| [»›](?=[\s.,;:!?]|$))*(?! [»›](?:[\s.,;:!?]|$))(?=\s)"
    rf"|[{_OTHER_ENDS}]+[{_CLOSERS}]*+"
    rf"|[{_WIDE_ENDS}]++[{_CLOSERS}]*+"
)
_ENDING: Final = re.compile(rf"[.!?…{_OTHER_ENDS}{_WIDE_ENDS}](?: ?[{_CLOSERS}“‘*_`])*$")
_OPENING_MARKS: Final = frozenset({"Ps", "Pi", "Pf", "Pd"})
_OPENERS: Final = frozenset("\"'¿¡*_ ")
_LETTERS_WITH_POINTS: Final = re.compile(r"(?:[^\W\d_]{1,2}\.-?)+[^\W\d_]{1,2}")
_BRACKETS: Final = {
    "“": 1,
    "”": -1,
    "「": 1,
    "『": 1,
    "（": 1,
    "【": 1,
    "《": 1,
    "」": -1,
    "』": -1,
    "）": -1,
    "】": -1,
    "》": -1,
}
_BRACKET: Final = re.compile(f"[{''.join(_BRACKETS)}]")
_LONGEST_BRACKET: Final = 400
_ENDS_UNSPACED: Final = re.compile(rf"[{CJK}。！？｡．]\S{{0,2}}\Z")
# After a quotation these continue the sentence: "…。」と言った".
_TAKES_ON: Final = re.compile(r"[とっはがをにのでもへや、，,。：:]|など|という|的")


@cache
def _rules() -> tuple[Sentences, re.Pattern[str]]:
    """Return the rules of all languages, and the pattern of what follows ordinals.

    The language of a text may not be known.
    """
    rules = merged(lambda language: language.sentences)
    return rules, re.compile(rf" (?:{'|'.join(rules.after_ordinals)})\w*")


def sentences(text: str) -> list[str]:
    """Split a block of prose into sentences, each a verbatim part of the whitespace-folded text."""
    folded = fold(text)
    found: list[str] = []
    start = looked = depth = 0
    for match in _END.finditer(folded):
        if match.start() - start > _LONGEST_BRACKET:
            depth = 0
        else:
            opened = (_BRACKETS[mark] for mark in _BRACKET.findall(folded, looked, match.end()))
            depth = max(0, depth + sum(opened))
        looked = match.end()
        if (depth and match[0][0] in _WIDE_ENDS) or _goes_on(folded, start, match):
            continue
        found.append(folded[start : match.end()].strip())
        start = match.end()
    rest = folded[start:].strip()
    return [*found, rest] if rest else found


def ends_like_a_sentence(text: str) -> bool:
    """Return whether a text ends with a closing mark."""
    return bool(_ENDING.search(text.rstrip()[-20:]))


def _goes_on(folded: str, start: int, match: re.Match[str]) -> bool:
    """Return whether the sentence goes on after a mark, as after an abbreviation or before a small letter."""
    mark, end = match.group(), match.end()
    if mark[0] in _OTHER_ENDS:
        return False
    if any(wide in mark for wide in _WIDE_ENDS):
        return mark[-1] in "」』）】》〉”" and bool(_TAKES_ON.match(folded, end))
    following = _next_start(folded, end)
    if not following or not following.isalnum() or following.islower():
        return True
    if not mark.startswith(".") or mark.startswith(".."):
        return False
    before = folded[max(start, match.start() - 40) : match.start()].split(" ")
    word = before[-1].lstrip("(\"'“„‘[«»").lower()
    if following.isdecimal() and word in _rules()[0].before_numbers:
        return True
    if word.isdecimal() and len(word) <= 2:
        return _is_ordinal(before[-2].lower() if len(before) > 1 else "", folded, end)
    return (
        word in _rules()[0].abbreviations
        or (len(word) == 1 and word.isalpha() and word != "i" and not word > "\u2e7f")
        or _LETTERS_WITH_POINTS.fullmatch(word) is not None
    )


def _is_ordinal(before: str, folded: str, end: int) -> bool:
    """Return whether a number and its point are a German ordinal: "am 3. Oktober", "im 19. Jahrhundert"."""
    rules, after = _rules()
    return before in rules.before_ordinals or after.match(folded, end) is not None


def _next_start(folded: str, end: int) -> str:
    """Return the first character after ``end`` that opens nothing, looking twenty characters ahead."""
    for mark in folded[end : end + 20]:
        if mark not in _OPENERS and unicodedata.category(mark) not in _OPENING_MARKS:
            return mark
    return ""


def join_sentences(parts: Iterable[str]) -> str:
    """Return sentences as one text, with a blank between them where their script uses blanks."""
    text = ""
    for sentence in parts:
        text += f"{'' if not text or _ENDS_UNSPACED.search(text) else ' '}{sentence}"
    return text


def is_joint_known(first: str, second: str) -> bool:
    """Return whether it is certain what stands between two sentences; behind "。", Latin may have a blank."""
    return not _ENDS_UNSPACED.search(first) or is_unspaced(second[:1])


def has_open_quotation(text: str) -> bool:
    """Return whether a text begins a quotation that it does not end; straight marks are not counted."""
    opened = text.count("„") or text.count("“")
    closed = text.count("”") + (text.count("“") if "„" in text else 0)
    return opened > closed or text.count("«") != text.count("»")
