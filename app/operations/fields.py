"""Fields of operations' inputs: strict, trimmed, and clear about what they want."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, post_load, validate

from app.content.request import LONGEST_TOPIC, SHORTEST_TOPIC, is_topic
from app.infra.db import LARGEST_ID
from app.infra.urls import MAX_URL, InvalidUrl, normalise
from app.pages.extraction.blocks import IN_WORDS, has_words


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

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(1, LONGEST_TOPIC, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        line = super()._deserialize(value, attr, data, **kwargs)
        if not is_topic(line):
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


class ListOrObject(fields.Field[Any]):
    """A list or an object, each as its own field takes it."""

    def __init__(
        self, lists: fields.List[Any], objects: fields.Nested, *, wanted: str, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.lists, self.objects, self._wanted = lists, objects, wanted

    def _bind_to_schema(self, field_name: str, parent: Any) -> None:
        super()._bind_to_schema(field_name, parent)
        self.lists, self.objects = deepcopy(self.lists), deepcopy(self.objects)
        for each in (self.lists, self.objects):
            each._bind_to_schema(field_name, self)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list | dict):
            raise ValidationError(self._wanted)
        field = self.lists if isinstance(value, list) else self.objects
        return field.deserialize(value, attr, data, **kwargs)


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


def choice(choices: tuple[str, ...], description: str, example: str) -> fields.String:
    """Return the field for one of some words."""
    message = f"Must be one of: {', '.join(choices)}."
    return fields.String(
        allow_none=True,
        validate=validate.OneOf(choices, error=message),
        metadata={"description": description, "example": example},
    )


def number(least: int, most: int, description: str, example: int) -> fields.Integer:
    """Return the field for a whole number within bounds."""
    return fields.Integer(
        strict=True,
        allow_none=True,
        validate=validate.Range(least, most),
        metadata={"description": description, "example": example},
    )


def lines(
    most: int, longest: int, description: str, example: list[str], kind: type[Line] = Line
) -> fields.List[str]:
    """Return the field for up to ``most`` lines of ``longest`` characters each."""
    return fields.List(
        kind(1, longest, allow_none=False),
        allow_none=True,
        validate=validate.Length(max=most),
        metadata={"description": description, "example": example},
    )


def matching(pattern: str, message: str) -> Any:
    """Return a validator: the whole text matches; a trailing line break does not pass for nothing."""
    compiled = re.compile(pattern, re.ASCII)

    def check(text: str) -> None:
        if compiled.fullmatch(text) is None:
            raise ValidationError(message)

    return check


class Part(Schema):
    """A member of an input that is an object itself; what it does not name is refused."""

    class Meta:
        unknown = RAISE

    @post_load
    def leave_out(self, data: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """Drop what says nothing, as the whole input does."""
        return {name: value for name, value in data.items() if value not in (None, "", [], {})}
