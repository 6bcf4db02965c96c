"""Checks commands and listings: the evidence has their lines, or each part of a line. Pure.

A manual documents an action, and a pattern; the section with both that a reader has to write stands nowhere.
Whether parts may go together, verification decides.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.evidence import text_of
from app.language.words import fold

_PLUS: Final = re.compile(r"\s*\+\s*")
_PARTS: Final = re.compile(r"[^\s{}()\[\],;:^$=|<>\"'`“”„«»‘’]+")
_ENDS: Final = ".:!?"
"""Marks of prose that may stand behind a part."""
_OWN_HOST: Final = re.compile(r"(?:[\w*-]*\.)*example\.(?:com|net|org)(?:/\S*)?")
"""A host of the reader, by RFC 2606, with a path."""
_OWN_WORDS: Final = re.compile(r"(\S+\{)[^\W\d_][^{}\d/\\.:-]*(?=\})")
"""Words in braces, which a reader chooses: "+block{Ads of our own}"."""
_LEAST_NAME: Final = 3
_LISTED: Final = frozenset({"code", "definition", "table"})
"""The kinds of evidence whose words may be code."""
_LIKE_CODE: Final = re.compile(r"[\d_+/\\*@$~-]|\w\.\w|^\.")
_SIGNS: Final = "<>|;&"
_ON_AND_OFF: Final = "+-"


def unsupported_runs(sentence: Sentence, said: str, units: Sequence[EvidenceUnit]) -> Iterator[str]:
    """Yield what is wrong with the code inside a sentence that rests on ``said``, the text of ``units``.

    A number is judged as a figure.
    """
    for run, _ in sentence.code:
        if not (_has_run(run, said) or run.isdecimal() or _is_put_together(run, units)):
            yield f"the code “{run}” is not in the evidence it names"


def unsupported_lines(code: str, units: Sequence[EvidenceUnit]) -> Iterator[str]:
    """Yield what is wrong with the lines of a listing."""
    for line in filter(str.strip, code.split("\n")):
        if not (is_copied(line, units) or _is_put_together(line, units)):
            yield f"the line “{' '.join(line.split())[:80]}” is not in the evidence it names"


def is_copied(code: str, units: Sequence[EvidenceUnit]) -> bool:
    """Return whether the evidence has each line of a listing, in any spacing."""
    said = {" ".join(line.split()) for unit in units for line in unit.text.split("\n")}
    whole = " ".join(text_of(units).split())
    lines = (" ".join(line.split()) for line in code.split("\n") if line.strip())
    return all(line in said or line in whole for line in lines)


def has_new_code(sentence: Sentence, units: Sequence[EvidenceUnit]) -> bool:
    """Return whether a sentence has code that is put together."""
    said = text_of(units)
    return any(not (run.isdecimal() or _has_run(run, said)) for run, _ in sentence.code)


def _has_run(run: str, said: str) -> bool:
    """Return whether a text has some code; a program is called by the name that a sentence may begin with."""
    if _as_typed(run) in _as_typed(said):
        return True
    is_name = len(run) >= _LEAST_NAME and run.isalpha() and run.islower()
    return is_name and re.search(rf"\b{run.capitalize()}\b", said) is not None


def _is_put_together(code: str, units: Sequence[EvidenceUnit]) -> bool:
    """Return whether the evidence has each part of a code, each number behind the same part, and its signs.

    Of prose, only words that look like code are parts. An option that a heading names may have a sign
    ("+block"). Words in braces are the reader's if the evidence has others there.
    """
    text = text_of(units)
    parts = _PARTS.findall(_OWN_WORDS.sub(lambda found: found[1] if found[1] in text else found[0], code))
    listed = " ".join(unit.text for unit in units if unit.kind in _LISTED)
    known = {part for part in _parts(text) if _LIKE_CODE.search(part)} | set(_parts(listed))
    named = {part for unit in units for part in _parts(unit.about)}
    pairs = set(pairwise(_parts(text)))

    def is_known(part: str) -> bool:
        has_sign = part[0] in _ON_AND_OFF and part[1:] in named
        return part in known | named or has_sign or _OWN_HOST.fullmatch(part) is not None

    numbers = [(before, part) for before, part in pairwise(parts) if part.isdecimal()]
    signs = [sign for sign in _SIGNS if sign in code]
    return (
        bool(parts) and all(map(is_known, parts)) and pairs.issuperset(numbers) and set(signs) <= set(listed)
    )


@lru_cache(maxsize=16)  # texts of evidence, which are long
def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.rstrip(_ENDS) or part for part in _PARTS.findall(text))


def _as_typed(text: str) -> str:
    """Return a text in which keys pressed together are written in one way: "Ctrl + M" as "Ctrl+M"."""
    return _PLUS.sub("+", fold(text))
