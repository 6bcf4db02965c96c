"""Fields of operations' inputs: strict, trimmed, and clear about what they want."""

from __future__ import annotations

from typing import Any, Final

from marshmallow import ValidationError, fields, validate

from app.infra.db import LARGEST_ID
from app.infra.urls import MAX_URL, InvalidUrl, normalise
from app.infra.words import is_unspaced
from app.pages.blocks import IN_WORDS, has_words

SHORTEST_TOPIC: Final = 3


class Text(fields.String):
    """A string of ``least`` to ``most`` characters after trimming; NUL and lone surrogates are refused."""

    def __init__(self, least: int, most: int, *, allow_none: bool = True, **kwargs: Any) -> None:
        super().__init__(validate=validate.Length(least, most), allow_none=allow_none, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        if text is None or "\x00" in text:
            raise ValidationError("Leave out NUL characters.")
        return text.strip()


class Line(Text):
    """A text of one line: line breaks and runs of white space become one blank."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        return " ".join(super()._deserialize(value, attr, data, **kwargs).split())


class Words(Line):
    """A line that says something: with a letter or digit of any script."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        line = super()._deserialize(value, attr, data, **kwargs)
        if line and not has_words(line):
            raise ValidationError(IN_WORDS)
        return line


class Topic(Words):
    """What a post is about: three characters, or one of a script in which a character is a word."""

    def __init__(self, most: int, **kwargs: Any) -> None:
        super().__init__(1, most, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        line = super()._deserialize(value, attr, data, **kwargs)
        if len(line) < SHORTEST_TOPIC and not is_unspaced(line):
            raise ValidationError(
                f"Must have at least {SHORTEST_TOPIC} characters, or one Chinese or Japanese character."
            )
        return line


class WebAddress(fields.String):
    """An absolute http or https address, kept as it is written."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validate=validate.Length(1, MAX_URL), **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        try:
            normalise(text or "")
        except InvalidUrl as error:
            raise ValidationError(f"Not a usable http or https address: {error.reason}.") from None
        return str(text).strip()


class Boolean(fields.Boolean):
    """``true`` or ``false``, and nothing that only looks like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def blog_post_id(description: str) -> fields.Integer:
    """Return the field for the post that an operation is about."""
    return fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(1, LARGEST_ID),
        metadata={"description": description},
    )


def ids(most: int, description: str) -> fields.List[int]:
    """Return the field for up to ``most`` ids."""
    return fields.List(
        fields.Integer(strict=True, validate=validate.Range(1, LARGEST_ID)),
        allow_none=True,
        validate=validate.Length(max=most, error="At most {max} of them."),
        metadata={"description": description},
    )
