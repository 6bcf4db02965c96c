"""The language of a piece of a page and the direction in which it is read."""

from typing import Final

from markupsafe import Markup

from app.language.languages import direction_of


def language_attributes(language: str | None) -> Markup:
    """Return the attributes of an element for text in a language, none if it is not known."""
    if not language:
        return Markup("")
    return Markup(' lang="{}" dir="{}"').format(language, direction_of(language))


GLOBALS: Final = (language_attributes,)
