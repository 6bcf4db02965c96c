"""Names with a number in them, such as IPv6, ISO 9001 and Wi-Fi 6: the number is part of the name. Pure."""

import re
from typing import Final

from app.content.rendering.markdown import occurrences
from app.content.writing.veto.figures import is_unit, unit_at

_NAME: Final = re.compile(
    r"(?<![\w.])(?P<joined>[^\W\d_]+[.-]?)\d+(?:[.:]\d+)*(?!\w)"
    r"|(?<=\w )(?P<beside>[^\W\d_][\w-]*) \d+(?:[.:]\d+)*(?!\w)"
)


def without_numbered_names(text: str, said: str) -> str:
    """Return a text with "…" for the numbers of the names that ``said`` has letter for letter.

    Of "EUR20" and "Team 20 kg" the number is a figure. A name that is a word of its own stands inside a
    sentence, with a capital: "Take 7" is none.
    """

    def shown(match: re.Match[str]) -> str:
        name = match["joined"] or match["beside"]
        is_figure = is_unit(name.rstrip(".-")) or bool(unit_at(text, match.end(), match.end()))
        is_name = match["joined"] or any(letter.isupper() for letter in name)
        if is_figure or not is_name or not occurrences(match[0], said):
            return match[0]
        return f"{name}…"

    return _NAME.sub(shown, text)
