"""Evidence cut to what a prompt has room for: of long units, the lines that sentences rest on. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.content.drafts import Sentence
from app.content.evidence.quotes import LEFT_OUT
from app.content.evidence.units import EvidenceUnit
from app.content.writing.article.prompt_parts import evidence_lines
from app.language.sentences import sentences
from app.language.stems import content_stems
from app.language.words import tokens_in

_STEP: Final = 0.85
_IN_FULL: Final = 0.8
"""The share of a sentence's words with which another says it."""
_LEAST: Final = 30
"""Tokens under which no unit is cut."""


def prompt_tokens(units: Sequence[EvidenceUnit]) -> int:
    """Return the tokens that units take of a prompt."""
    return tokens_in("\n".join(evidence_lines(units))) if units else 0


def said_of(sentences: Iterable[Sentence]) -> dict[str, str]:
    """Return for each id of evidence the sentences that rest on it."""
    said: dict[str, str] = {}
    for sentence in sentences:
        for unit_id in sentence.source_ids:
            said[unit_id] = f"{said.get(unit_id, '')} {sentence.text}"
    return said


def shortened_to_fit(
    units: Sequence[EvidenceUnit],
    said: Mapping[str, str],
    tokens: int,
    language: str,
    *,
    proves: bool = False,
) -> tuple[EvidenceUnit, ...]:
    """Return all units, the longest ones shortened until they fit into ``tokens``.

    ``said`` has the sentences that rest on each; what is nearest to them stays. That is their proof where the
    evidence ``proves`` them, else what stands beside what they say in full: nobody said it, and it may limit
    them. No unit is left out, even if there are too many.
    """
    limit = max((tokens_in(unit.text) for unit in units), default=0)
    shown = tuple(units)
    while limit > _LEAST and prompt_tokens(shown) > tokens:
        limit = int(limit * _STEP)
        shown = tuple(
            _shortened(unit, said.get(unit.id, ""), limit, language, proves=proves) for unit in units
        )
    return shown


def halved(units: Sequence[EvidenceUnit], said: Mapping[str, str], language: str) -> tuple[EvidenceUnit, ...]:
    """Return all units with half of their text, for a model with a small window; what proves ``said`` stays.

    Short units are not cut: of these alone, there is nothing less to show.
    """
    return shortened_to_fit(units, said, prompt_tokens(units) // 2, language, proves=True)


def _shortened(unit: EvidenceUnit, said: str, tokens: int, language: str, *, proves: bool) -> EvidenceUnit:
    """Return a unit with the parts of its text that share most words with what was ``said`` of it."""
    if tokens_in(unit.text) <= tokens:
        return unit
    is_prose = unit.kind in {"paragraph", "quote"}
    parts = sentences(unit.text) if is_prose else unit.text.split("\n")
    stems = set(content_stems(said, language))
    own = [set(content_stems(part, language)) for part in parts]
    repeated = [len(stems & each) >= _IN_FULL * len(each) for each in own]
    order = sorted(range(len(parts)), key=lambda n: (repeated[n] and not proves, -len(stems & own[n])))
    if not is_prose:
        # The first line is the header of a table or announces a list.
        order = [0, *(n for n in order if n)]
    kept: set[int] = set()
    left = tokens
    for n in order:
        if not kept or tokens_in(parts[n]) <= left:
            kept.add(n)
            left -= tokens_in(parts[n])
    shown = [part if n in kept else LEFT_OUT for n, part in enumerate(parts)]
    lines = [part for n, part in enumerate(shown) if part != LEFT_OUT or shown[n - 1 : n] != [LEFT_OUT]]
    return replace(unit, text=(" " if is_prose else "\n").join(lines))
