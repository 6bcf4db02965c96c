"""The languages of ``data/``, each read from its file when it is first needed."""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints

from app.language.schema import Language
from app.language.tags import language_code

DATA: Final = files(__package__) / "data"
_ENDING: Final = ".toml"
Section = TypeVar("Section")


class LanguageFileError(ValueError):
    """A language file has a member that is unknown, missing or of the wrong kind."""


@lru_cache(maxsize=1024)
def language_data(tag: str) -> Language:
    """Return the language of a BCP 47 tag. A language without a file has only its code."""
    return _of_code(language_code(tag))


@cache
def languages() -> tuple[Language, ...]:
    """Return all languages that have a file, in the order of their codes."""
    return tuple(_of_code(code) for code in _codes())


def in_all_languages(words_of: Callable[[Language], Iterable[str]]) -> tuple[str, ...]:
    """Return the words that ``words_of`` returns of each language, each word once."""
    return tuple(dict.fromkeys(word for language in languages() for word in words_of(language)))


@cache
def month_numbers() -> Mapping[str, int]:
    """Return the number of each month by its names in all languages, in small letters."""
    tables = (language.months for language in languages())
    return {name: int(number) for table in tables for number, names in table.items() for name in names}


def merged(section: Callable[[Language], Section]) -> Section:
    """Return one table of all languages together: each of its members with the words of all."""
    sections: list[Any] = [section(language) for language in languages()]
    kind = type(sections[0])
    names = [member.name for member in fields(kind)]
    together: Section = kind(**{name: _merged([getattr(each, name) for each in sections]) for name in names})
    return together


def _merged(values: Sequence[Any]) -> Any:
    if isinstance(values[0], frozenset):
        return frozenset().union(*values)
    if isinstance(values[0], tuple):
        return tuple(dict.fromkeys(chain.from_iterable(values)))
    keys = dict.fromkeys(chain.from_iterable(values))
    return {key: _merged([value[key] for value in values if key in value]) for key in keys}


@cache
def _codes() -> tuple[str, ...]:
    names = (file.name for file in DATA.iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)))


def direction_of(tag: str) -> Literal["ltr", "rtl", "auto"]:
    """Return the direction of a language's text; without a file, it is for the text itself to show."""
    if language_code(tag) not in _codes():
        return "auto"
    return "rtl" if language_data(tag).right_to_left else "ltr"


@lru_cache(maxsize=256)
def _of_code(code: str) -> Language:
    if code not in _codes():
        return Language(code, code)
    return parsed(code, (DATA / f"{code}{_ENDING}").read_text(encoding="utf-8"))


def parsed(code: str, text: str) -> Language:
    """Return the language that the text of a language file describes.

    Raises ``LanguageFileError`` for a member that is unknown, missing or of the wrong kind.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LanguageFileError(f"{code}{_ENDING}: {error}") from error
    language: Language = _table(Language, {**table, "code": code}, f"{code}{_ENDING}")
    return language


def _table(kind: Any, table: Any, where: str) -> Any:
    """Return a dataclass made of a TOML table."""
    if not isinstance(table, dict):
        raise LanguageFileError(f"{where} is not a table")
    kinds = _kinds(kind)
    if unknown := table.keys() - kinds.keys():
        raise LanguageFileError(f"{where} has unknown members {sorted(unknown)}; known are {sorted(kinds)}")
    required = {each.name for each in fields(kind) if each.default is each.default_factory is MISSING}
    if missing := required - table.keys():
        raise LanguageFileError(f"{where} needs the members {sorted(missing)}")
    return kind(**{name: _value(kinds[name], value, f"{where}: {name}") for name, value in table.items()})


@cache
def _kinds(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _value(kind: Any, value: Any, where: str) -> Any:
    """Return a TOML value as the type that a dataclass states for it."""
    if get_origin(kind) is UnionType:
        kind = next(each for each in get_args(kind) if each is not NoneType)
    if is_dataclass(kind):
        return _table(kind, value, where)
    origin = get_origin(kind)
    if origin is Mapping and isinstance(value, dict):
        return {key: _value(get_args(kind)[1], each, f"{where}.{key}") for key, each in value.items()}
    if origin in {tuple, frozenset}:
        return origin(_strings(value, get_args(kind), where))
    if origin is None and isinstance(value, kind):
        return value
    raise LanguageFileError(f"{where} is of the wrong kind: {value!r}")


def _strings(value: Any, kinds: tuple[Any, ...], where: str) -> list[str]:
    found = value.split() if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(each, str) and each for each in found):
        raise LanguageFileError(f"{where} is neither words nor an array of strings: {value!r}")
    if kinds[-1] is str and len(kinds) > 1 and len(found) != len(kinds):
        raise LanguageFileError(f"{where} has {len(found)} strings, not {len(kinds)}")
    return found
