"""Gives the sections of a digest the words that its length has left: a cut answer is half of one. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.content.artefacts import Brief
from app.content.retrieval.candidates import Candidate
from app.content.retrieval.excerpt_parts import extent_of
from app.content.retrieval.excerpts import Excerpt
from app.content.retrieval.main_sections import quoted_beside
from app.content.writing.digest.arrangement import Placed

_MOST: Final = 260
"""The words of prose up to which a section is quoted."""
_LEAST_ROOM: Final = 30


def with_room(
    placed: Sequence[Placed], asked: Sequence[Candidate], brief: Brief, budget: int
) -> tuple[tuple[Placed, int], ...]:
    """Return the sections of a digest, each with the words it may have, ``budget`` or more.

    The most relevant ones get first what the length of the post has left. None repeats what another says.
    """
    found = {n: (each, budget) for n, each in enumerate(placed)}
    said = {n: each.candidate.excerpt for n, each in enumerate(placed)}
    answers = [each.excerpt for each in asked]
    left = brief.target_words - sum(map(_extent, (*said.values(), *answers)))
    for n in sorted(found, key=lambda n: (-placed[n].candidate.score, n)):
        if left < _LEAST_ROOM:
            break
        now = said[n]
        most = min(_MOST, budget + left)
        own = placed[n].candidate
        longer = quoted_beside(own.section, most, brief.language, brief.main_page, answers=own.question)
        beside = (each.marks for each in (*said.values(), *answers) if each is not now)
        others = frozenset[str]().union(*beside)
        if longer is None or longer.marks & others or not _goes_on(now, longer):
            continue
        more = _extent(longer) - _extent(now)
        if more > left:
            continue  # A list or its warnings come whole.
        found[n] = (replace(placed[n], candidate=replace(own, excerpt=longer)), most)
        said[n] = longer
        left -= more
    return tuple(found.values())


def _goes_on(now: Excerpt, longer: Excerpt) -> bool:
    """Return whether an excerpt has all that the shorter one has, and more."""
    return now.marks < longer.marks


def _extent(quoted: Excerpt) -> int:
    """Return the words of an excerpt, with the warnings that come on top."""
    return extent_of(list(quoted.paragraphs))
