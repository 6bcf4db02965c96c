"""Checks commands and listings: the evidence has their lines, or each part of a line. Pure.

A manual documents an action, and a pattern; the section with both that a reader has to write stands nowhere.
Whether parts may go together, verification decides.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.evidence import text_of
from app.language.words import fold

_PLUS: Final = re.compile(r"\s*\+\s*")
_PARTS: Final = re.compile(r"[^\s{}()\[\],;=|<>\"'`]+")
_ENDS: Final = ".:!?"
"""Marks of prose that may stand behind a part."""
_OWN_HOST: Final = re.compile(r"(?:[\w*-]*\.)*example\.(?:com|net|org)/?")
"""A host of the reader, by RFC 2606."""
_LEAST_NAME: Final = 3


def unsupported_runs(sentence: Sentence, said: str) -> Iterator[str]:
    """Yield what is wrong with the code inside a sentence that rests on ``said``.

    A number is judged as a figure, and a program is called by the name that a sentence may begin with.
    """
    known = _as_typed(said)
    for run, _ in sentence.code:
        is_known = _as_typed(run) in known or (_is_name(run) and run.capitalize() in known)
        if not (is_known or run.isdecimal() or _is_put_together(run, said)):
            yield f"the code “{run}” is not in the evidence it names"


def unsupported_lines(code: str, units: Sequence[EvidenceUnit]) -> Iterator[str]:
    """Yield what is wrong with the lines of a listing."""
    said = text_of(units)
    for line in filter(str.strip, code.split("\n")):
        if not (is_copied(line, units) or _is_put_together(line, said)):
            yield f"the line “{' '.join(line.split())[:80]}” is not in the evidence it names"


def is_copied(code: str, units: Sequence[EvidenceUnit]) -> bool:
    """Return whether the evidence has each line of a listing, in any spacing."""
    said = {" ".join(line.split()) for unit in units for line in unit.text.split("\n")}
    whole = " ".join(text_of(units).split())
    lines = (" ".join(line.split()) for line in code.split("\n") if line.strip())
    return all(line in said or line in whole for line in lines)


def _is_put_together(code: str, said: str) -> bool:
    """Return whether code has two parts or more, and the evidence has each as a word of its own."""
    parts = _PARTS.findall(code)
    known = set(_PARTS.findall(said))
    known |= {part.rstrip(_ENDS) for part in known}
    own = [part for part in parts if not _OWN_HOST.fullmatch(part)]
    return len(parts) > 1 and bool(own) and known.issuperset(own)


def _is_name(run: str) -> bool:
    return len(run) >= _LEAST_NAME and run.isalpha() and run.islower()


def _as_typed(text: str) -> str:
    """Return a text in which keys pressed together are written in one way: "Ctrl + M" as "Ctrl+M"."""
    return _PLUS.sub("+", fold(text))
