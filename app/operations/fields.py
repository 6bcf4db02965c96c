"""Fields of operations' inputs; infra/inputs has those that every input shares."""

from copy import deepcopy
from typing import Any

from marshmallow import ValidationError, fields, validate

from app.content.request import LONGEST_TOPIC, SHORTEST_TOPIC, is_topic
from app.infra.db import LARGEST_ID
from app.infra.inputs import Choice, Integer, Line
from app.pages.extraction.blocks import IN_WORDS, has_words


def documented(description: str, example: Any = None) -> dict[str, Any]:
    """Return the metadata by which a field appears in the API documentation."""
    return {"description": description} | ({} if example is None else {"example": example})


class Words(Line):
    """A line with at least one letter or digit of any script."""

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


class ListOrObject(fields.Field[Any]):
    """Accepts a list or an object; a field for each validates it."""

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
    return Integer(least=1, most=LARGEST_ID, required=True, metadata=documented(description))


def ids(most: int, description: str) -> fields.List[int]:
    return fields.List(
        Integer(least=1, most=LARGEST_ID),
        allow_none=True,
        validate=validate.Length(max=most, error="At most {max} of them."),
        metadata=documented(description),
    )


def choice(choices: tuple[str, ...], description: str, example: str) -> fields.String:
    return Choice(choices, allow_none=True, metadata=documented(description, example))


def number(least: int, most: int, description: str, example: int) -> fields.Integer:
    return Integer(least=least, most=most, allow_none=True, metadata=documented(description, example))


def lines(
    most: int, longest: int, description: str, example: list[str], kind: type[Line] = Line
) -> fields.List[str]:
    return fields.List(
        kind(1, longest, allow_none=False),
        allow_none=True,
        validate=validate.Length(max=most),
        metadata=documented(description, example),
    )
