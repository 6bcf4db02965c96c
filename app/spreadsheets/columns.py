"""What the columns of a file mean, recognised by their headings in several languages. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

Mapped = Mapping[str, int]
"""Which column has each role, counted from 0. A role without a column is absent."""

_PHRASE: Final = (
    r"keyword|quer(?:y|ies)\b|search term|suchbegriff|suchanfrage|requêtes?|mots?[- ]clés?|consulta"
    r"|palabras? clave"
)

ROLES: Final = {
    role: re.compile(rf"\b(?:{words})", re.IGNORECASE)
    for role, words in {
        "keyword": rf"{_PHRASE}|schlüsselwort|phrase|parola chiave",
        "query": _PHRASE,
        "page": r"pages?\b|seiten?\b|páginas?\b|url|landing|adresse",
        "day": r"date\b|datum|fecha|day\b|tag\b|jour\b|día\b",
        "clicks": r"clicks?\b|klicks?\b|clics?\b",
        "impressions": r"impression|impresion",
        "position": r"position|posici",
        "volume": r"volume|search volume|suchvolumen|avg\. monthly searches|monthly searches|volumen"
        r"|recherches mensuelles|búsquedas mensuales|durchschnittliche suchanfragen",
        "difficulty": r"keyword difficulty|difficulty|kd\b|schwierigkeit|difficulté|dificultad",
        "cpc_value": r"cpc|top of page bid \(high range\)|cost per click",
        "cpc_currency": r"currency|währung|devise|moneda",
        "country": r"country|land\b|pays\b|país\b|database",
    }.items()
}


def guess_columns(header: Sequence[str], roles: Iterable[str]) -> dict[str, int]:
    """Return the column of each role that a heading names; a heading that is exactly its name goes first."""
    found: dict[str, int] = {}
    for role in roles:
        free = [(index, name.strip()) for index, name in enumerate(header) if index not in found.values()]
        exact = (index for index, name in free if ROLES[role].fullmatch(name))
        within = (index for index, name in free if ROLES[role].search(name))
        index = next(exact, None)
        index = next(within, None) if index is None else index
        if index is not None:
            found[role] = index
    return found


def is_heading(cell: str) -> bool:
    return any(pattern.search(cell) for pattern in ROLES.values())
