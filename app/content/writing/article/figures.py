"""The figures of a text: numbers as written, with the currency, percent sign or unit beside them. Pure."""

from __future__ import annotations

import re
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


class Figure(NamedTuple):
    """A number as written and the sign of its unit, empty without a known one."""

    number: str
    unit: str


def figures(text: str) -> list[Figure]:
    """Return the figures of a text in order; the first of a range has the unit of the second."""
    found = list(_NUMBER.finditer(text))
    units = [_unit(text, match) for match in found]
    for n in range(len(found) - 1, 0, -1):
        between = text[found[n - 1].end() : found[n].start()]
        if not units[n - 1] and _RANGE.fullmatch(between):
            units[n - 1] = units[n]
    for n in range(1, len(found)):
        between = text[found[n - 1].end() : found[n].start()]
        if not units[n] and units[n - 1] in "€$£¥" and _RANGE.fullmatch(between):
            units[n] = units[n - 1]
    return [Figure(match[0], unit) for match, unit in zip(found, units, strict=True)]


def is_unit(word: str) -> bool:
    """Tell whether a word or a sign names a unit or a currency."""
    return word.lower() in _UNITS


def _unit(text: str, match: re.Match[str]) -> str:
    before = _BEFORE.search(text[max(0, match.start() - 5) : match.start()])
    if before:
        return _UNITS[before[1].lower()]
    after = _AFTER.match(text, match.end())
    if after is None:
        return ""
    named = after[1].lower()
    return _UNITS.get(named) or _UNITS.get(named.split()[0], "")
