"""Claims without a figure that need a source: research, experts, rank, proof and fame. Pure.

A sentence counts when no source makes a claim of the same kind. Languages without a table have none.
"""

import re
from collections.abc import Iterable
from dataclasses import fields
from functools import lru_cache

from app.language.languages import language_data
from app.language.tags import language_code
from app.language.words import QUESTION_MARKS


@lru_cache
def _kinds(code: str) -> tuple[re.Pattern[str], ...]:
    """Return one pattern for each kind of claim that a language file has patterns for."""
    claims = language_data(code).soft_claims
    kinds = (getattr(claims, member.name) for member in fields(claims))
    return tuple(
        re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE) for patterns in kinds if patterns
    )


def soft_claims(texts: Iterable[str], source: str, language: str) -> list[str]:
    """Return the texts with a claim of a kind that ``source`` never makes; questions claim nothing."""
    unmade = [kind for kind in _kinds(language_code(language)) if not kind.search(source)]
    said = (text for text in texts if not text.rstrip().endswith(QUESTION_MARKS))
    return [text for text in said if any(kind.search(text) for kind in unmade)]
