"""Finds the options, endpoints and names of settings of a sentence that could be another's. Pure."""

import re
from itertools import pairwise
from typing import Final

from app.content.writing.article.blank_places import Blank
from app.content.writing.veto.clauses import clause_words

_NAME: Final = re.compile(
    r"(?<![\w$./-])(?:--?[a-z][\w-]*|(?<!\d )/[a-z][\w-]+|[a-z]+(?:_[a-z\d]+)+|[a-z]{2,}(?:\.[a-z][\w]+)+)"
    r"(?![\w/=-]|\.\w)",
    re.IGNORECASE,
)
"""An option ("-v", "--unit"), an endpoint ("/health") or a setting ("max_size", "beresp.ttl")."""


def code_names(text: str, said: str) -> list[Blank]:
    """Return where a sentence has its first name in code, if its evidence has another of its kind.

    What is said of the others tells which one it is; in "min_age and max_age" nothing does.
    """
    known = {match[0] for match in _NAME.finditer(said)}
    found = [Blank(*match.span(), match[0], "code") for match in _NAME.finditer(text)]
    found = [each for each in found if each.written in known or "." not in each.written]
    first = found[0].written if found else ""
    has_rival = any(_alike(each, first) for each in known - {first})
    blanks = [_without_sign(each) for each in found if each.written == first] if has_rival else []
    return [] if any(_are_listed(one, other, text) for one, other in pairwise(found)) else blanks


def _without_sign(blank: Blank) -> Blank:
    """Return an option or endpoint whose sign stays: "-{a}" is no program."""
    name = blank.written.lstrip("-/")
    return blank._replace(start=blank.stop - len(name), written=name)


def _alike(one: str, other: str) -> bool:
    """Return whether two names in code are of one kind: two options, endpoints or settings."""
    return all(one.startswith(sign) == other.startswith(sign) for sign in "-/")


def _are_listed(one: Blank, other: Blank, text: str) -> bool:
    """Return whether two names in code are side by side in a list."""
    between = text[one.stop : other.start].replace("`", "")
    return between == ", " or clause_words().alternatives.fullmatch(between) is not None
