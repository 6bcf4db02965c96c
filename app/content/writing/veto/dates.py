"""The dates of a text: each month with the day or the year beside it, however they are written. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner janvier enero ene gennaio janeiro januari",
            "february feb februar février febrero febbraio fevereiro februari",
            "march mar märz mars marzo março maart",
            "april apr avril abril aprile",
            "may mai mayo maggio maio mei",
            "june jun juni juin junio giugno junho",
            "july jul juli juillet julio luglio julho",
            "august aug août agosto augustus",
            "september sep sept septembre septiembre settembre setembro",
            "october oct oktober okt octobre octubre ottobre outubro",
            "november nov novembre noviembre novembro",
            "december dec dezember dez décembre diciembre dicembre dezembro",
        ),
        1,
    )
    for name in names.split()
}
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_MONTH: Final = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s(?:of |de )?({_MONTH})\b", re.IGNORECASE
)
_MONTH_DAY: Final = re.compile(rf"\b({_MONTH})\.?\s(\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d)", re.IGNORECASE)
_MONTH_YEAR: Final = re.compile(rf"\b({_MONTH})\.?,?\s(?:\d{{1,2}}, )?(?:de |of )?(\d{{4}})\b", re.IGNORECASE)
_ISO: Final = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")


class Date(NamedTuple):
    """A month with its day or its year, as written."""

    written: str
    month: int
    day_or_year: int


def dates(text: str) -> Iterator[Date]:
    """Yield each month of a text together with the day and with the year beside it."""
    for match in _DAY_MONTH.finditer(text):
        yield Date(match[0], _MONTHS[match[2].lower()], int(match[1]))
    for pattern in (_MONTH_DAY, _MONTH_YEAR):
        for match in pattern.finditer(text):
            yield Date(match[0], _MONTHS[match[1].lower()], int(match[2]))
    for match in _ISO.finditer(text):
        yield Date(match[0], int(match[2]), int(match[1]))
        if match[3]:
            yield Date(match[0], int(match[2]), int(match[3]))
