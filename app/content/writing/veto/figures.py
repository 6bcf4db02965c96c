"""The figures of a text: numbers as written, with the currency, percent sign or unit beside them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_NUMBER: Final = re.compile(r"\d+(?:[.,:/]\d+)*")
_BEFORE: Final = re.compile(r"([€$£¥]|(?:EUR|USD|GBP|CHF|JPY|US\$))\s?$", re.IGNORECASE)
_AFTER: Final = re.compile(r"\s?([%‰€$£¥°]|[^\W\d_]+(?:\s(?:cento?|ciento)\b)?)", re.IGNORECASE)
_RANGE: Final = re.compile(r"\s?(?:-|–|—|to|and|or|bis|und|oder|à|et|ou|a|y|o|e|en|tot|of)\s?", re.IGNORECASE)

_UNITS: Final = {
    name: unit
    for unit, names in {
        "%": "% percent pct prozent porcentaje procent percento porcento pourcent",
        "€": "€ eur euro euros",
        "$": "$ usd us$ dollar dollars dólar dólares dollaro dollari",
        "£": "£ gbp pound pounds pfund",
        "¥": "¥ jpy yen",
        "CHF": "chf franken francs",
        "kg": "kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos chilo "
        "chili chilogrammo chilogrammi quilo quilos quilograma quilogramas",
        "g": "g gram grams gramm gramme grammes gramo gramos grammo grammi grama gramas",
        "t": "t ton tons tonne tonnes tonnen tonelada toneladas tonnellata tonnellate",
        "km": "km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres kilómetro "
        "kilómetros chilometro chilometri quilómetro quilómetros quilômetro quilômetros",
        "m": "m metre metres meter meters metern mètre mètres metro metros metri",
        "cm": "cm centimetre centimetres centimeter centimeters zentimeter zentimetern centimètre "
        "centimètres centímetro centímetros centimetro centimetri",
        "mm": "mm millimetre millimetres millimeter millimeters millimetern millimètre millimètres milímetro "
        "milímetros millimetro millimetri",
        "l": "l litre litres liter liters litern litro litros litri",
        "ms": "ms millisecond milliseconds millisekunde millisekunden milliseconde millisecondes "
        "milliseconden milisegundo milisegundos millisecondo millisecondi",
        "s": "s sec secs second seconds sek sekunde sekunden seconde secondes seconden segundo segundos "
        "secondo secondi",
        "min": "min mins minute minutes minuten minuut minuto minutos minuti",
        "h": "h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur uren",
        "day": "day days tag tage tagen jour jours día días giorno giorni dag dagen dia dias",
        "week": "week weeks woche wochen semaine semaines semana semanas settimana settimane weken",
        "month": "month months monat monate monaten mois mes meses mese mesi mês maand maanden",
        "year": "year years jahr jahre jahren ans année années año años anno anni ano anos jaar jaren",
        "KB": "kb kilobyte kilobytes",
        "MB": "mb megabyte megabytes",
        "GB": "gb gigabyte gigabytes",
        "TB": "tb terabyte terabytes",
    }.items()
    for name in names.split()
} | dict.fromkeys(("per cent", "per cento", "pour cent", "por ciento", "por cento"), "%")  # fmt: skip


_MONEY: Final = frozenset("€$£¥")


class Figure(NamedTuple):
    """A number as written and the sign of its unit, empty without a known one."""

    number: str
    unit: str


def figures(text: str) -> list[Figure]:
    """Return the figures of a text in order; the first of a range has the unit of the second."""
    found = list(_NUMBER.finditer(text))
    units = units_in_ranges(text, [(*match.span(), _unit(text, match)) for match in found])
    return [Figure(match[0], unit) for match, unit in zip(found, units, strict=True)]


def units_in_ranges(text: str, found: Sequence[tuple[int, int, str]]) -> list[str]:
    """Return the units of numbers (start, end, unit); those of a range have one unit together."""
    units = [unit for _, _, unit in found]
    pairs = [
        n for n in range(1, len(found)) if _RANGE.fullmatch(text[found[n - 1][1] : found[n][0]]) is not None
    ]
    for n in reversed(pairs):
        units[n - 1] = units[n - 1] or units[n]
    for n in pairs:
        if not units[n] and units[n - 1] in _MONEY:
            units[n] = units[n - 1]
    return units


def is_unit(word: str) -> bool:
    """Tell whether a word is the name or the sign of a unit."""
    return word.lower() in _UNITS


def unit_at(text: str, start: int, end: int) -> str:
    """Return the sign of the unit beside the number that stands there, empty without a known one."""
    before = _BEFORE.search(text[max(0, start - 5) : start])
    if before:
        return _UNITS[before[1].lower()]
    after = _AFTER.match(text, end)
    if after is None:
        return ""
    named = after[1].lower()
    return _UNITS.get(named) or _UNITS.get(named.split()[0], "")


def _unit(text: str, match: re.Match[str]) -> str:
    return unit_at(text, match.start(), match.end())
