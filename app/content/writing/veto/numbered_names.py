"""Names with a number in them, such as IPv6, ISO 9001 and Wi-Fi 6: the number is part of the name. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from app.content.rendering.markdown import occurrences
from app.content.writing.veto.figures import is_unit, unit_at
from app.language.words import is_unspaced

_NAME: Final = re.compile(
    r"(?<![\w.])(?P<joined>[^\W\d_]+[.-]?)\d+(?:[.:]\d+)*(?!\w)"
    r"|(?<=\w )(?P<beside>[^\W\d_][\w-]*) \d+(?:[.:]\d+)*(?!\w)"
)


def without_numbered_names(text: str, said: str) -> str:
    """Return a text with "…" for the numbers of the names that ``said`` has letter for letter."""
    for name in reversed(list(_names(text, said))):
        text = f"{text[: name.start()]}{name['joined'] or name['beside']}…{text[name.end() :]}"
    return text


def numbered_names(text: str, said: str) -> Iterator[tuple[int, int]]:
    """Yield where the names with a number stand in a text that ``said`` has letter for letter."""
    return (name.span() for name in _names(text, said))


def _names(text: str, said: str) -> Iterator[re.Match[str]]:
    """Yield the names. Of "EUR20" and "Team 20 kg" the number is a figure.

    A name that is a word of its own stands inside a sentence, with a capital: "Take 7" is none.
    """
    for match in _NAME.finditer(text):
        name = match["joined"] or match["beside"]
        is_figure = is_unit(name.rstrip(".-")) or bool(unit_at(text, match.end(), match.end()))
        is_name = not is_unspaced(name) if match["joined"] else any(letter.isupper() for letter in name)
        if is_name and not is_figure and occurrences(match[0], said):
            yield match
