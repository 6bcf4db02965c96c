"""Writes into docs/languages.md what each language file lacks: ``python -m devtools.languages_doc``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Final

from app.language.languages import DATA, languages
from app.language.schema import Language
from devtools.local import ROOT

PATH: Final = ROOT / "docs" / "languages.md"
_START: Final = "<!-- made by python -m devtools.languages_doc -->\n"
_END: Final = "<!-- end -->\n"
_TABLES: Final = tuple(table.name for table in fields(Language) if table.name not in {"code", "name"})
_NOT_IN_EVERY_LANGUAGE: Final = frozenset(
    {
        "detection.own_letters",
        "words.joins_nouns",
        "words.capital_nouns",
        "words.adjective_endings",
        "words.fixed_names",
        "pages.before_times",
        "words.about_questions",
        "words.joined_beginnings",
        "words.derived_endings",
        "words.after_question_words",
        "words.auxiliaries",
        "words.particles",
        "words.verb_follows",
        "words.before_nouns",
        "words.relative_words",
        "words.readers",
        "words.before_infinitives",
        "words.infinitive_endings",
        "words.spelled",
        "words.stems",
        "sentences.before_ordinals",
        "sentences.after_ordinals",
        "idea_titles.how_to",
        "idea_titles.before_verbs",
        "references.articles",
        "names.calendar",
        "names.common_nouns",
        "figures.both",
        "figures.unit_endings",
        "numbers.alone",
        "numbers.idioms_of_half",
        "numbers.ambiguous",
        "numbers.links",
        "numbers.one",
        "numbers.one_word",
        "numbers.endings_of_wholes",
        "numbers.joined_beginnings",
        "numbers.joined",
        "pages.about_minutes",
    }
)
"""Members that a language may do without, since they answer to something that only some languages have."""


def lacking(language: Language) -> tuple[str, ...]:
    """Return the tables and members that a language file could have and has not: ``words.speakers``."""
    found: list[str] = []
    for table in _TABLES:
        value = getattr(language, table)
        if not value or not is_dataclass(value):
            found += [] if value else [table]
            continue
        has = {f"{table}.{member.name}": bool(getattr(value, member.name)) for member in fields(value)}
        missing = [name for name in has if not has[name] and name not in _NOT_IN_EVERY_LANGUAGE]
        found += missing if any(has.values()) else [table]
    return tuple(found)


def render() -> str:
    """Return the page with its table as the language files are now."""
    before, _, rest = PATH.read_text(encoding="utf-8").partition(_START)
    after = rest.partition(_END)[2]
    lines = ["", "| Language | Synonyms | Tables | Missing in them |", "|---|---|---|---|"]
    lines += [_row(language) for language in sorted(languages(), key=lambda each: -len(_present(each)))]
    return f"{before}{_START}{chr(10).join(lines)}\n\n{_END}{after}"


def _row(language: Language) -> str:
    present = _present(language)
    tables = "all" if len(present) == len(_TABLES) else _named(present)
    missing = "; ".join(part for table in present if (part := _missing(language, table)))
    synonyms = "yes" if (DATA / f"{language.code}.synonyms.txt").is_file() else "no"
    return f"| {language.name} `{language.code}` | {synonyms} | {tables} | {missing or 'nothing'} |"


def _missing(language: Language, table: str) -> str:
    """Return what a table lacks, or what alone it has where that is shorter."""
    value = getattr(language, table)
    missing = [each.partition(".")[2] for each in lacking(language) if each.startswith(f"{table}.")]
    has = [member.name for member in fields(value) if getattr(value, member.name)] if missing else []
    if len(missing) > 2 * len(has):
        return f"`{table}`: all but {', '.join(has)}"
    return f"`{table}`: {', '.join(missing)}" if missing else ""


def _present(language: Language) -> tuple[str, ...]:
    lacks = lacking(language)
    return tuple(table for table in _TABLES if table not in lacks)


def _named(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    PATH.write_text(render(), encoding="utf-8")
