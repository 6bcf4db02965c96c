"""Fields of responses and of query strings. Those of JSON bodies are in infra/inputs."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any, Final, NamedTuple, Self

from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate

from app.infra.clock import rfc3339
from app.infra.db import LARGEST_ID
from app.infra.inputs import shared

_DIGITS: Final = re.compile(r"[0-9]{1,19}", re.ASCII)


class Out(Schema):
    """A schema of a response. Every member is always present; members may be added."""

    class Meta:
        unknown = EXCLUDE

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Document the member as always present."""
        field_obj.required = True

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        """Return the schema itself: none is changed, and flask-smorest would copy it for each answer."""
        return self


class _Reading(NamedTuple):
    """How the members of a schema are read from a row: all of them in order, what is read, and the times."""

    members: Mapping[str, None]
    names: tuple[str, ...]
    values: Callable[[object], tuple[Any, ...]]
    times: tuple[str, ...]


@cache
def _reading(schema: type[Schema], computed: tuple[str, ...]) -> _Reading:
    fields_of = shared(schema).fields
    names = tuple(name for name in fields_of if name not in computed)
    times = tuple(name for name in names if isinstance(fields_of[name], Time))
    return _Reading(dict.fromkeys(fields_of), names, attrgetter(*names), times)


def shown(schema: type[Schema], row: object, computed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of ``schema``: those that are ``computed``, the others as ``row`` has them.

    For rows that lists have many of: dumping one with the schema takes several times as long. The values of
    the row must be what JSON has already, or times.
    """
    reading = _reading(schema, tuple(computed))
    found: dict[str, Any] = {**reading.members, **dict(zip(reading.names, reading.values(row), strict=True))}
    for name in reading.times:
        found[name] = rfc3339(found[name])
    found.update(computed)
    return found


class Time(fields.DateTime):
    """A time as RFC 3339 in UTC. A text is left unchanged."""

    def _serialize(self, value: datetime | str | None, attr: str | None, obj: Any, **_: Any) -> str | None:
        return value if isinstance(value, str) else rfc3339(value)


class QueryInteger(fields.Integer):
    """A whole number in a query: ASCII digits only."""

    def __init__(self, *, least: int = 1, most: int = LARGEST_ID, **kwargs: Any) -> None:
        super().__init__(validate=validate.Range(least, most), **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> int:
        if _DIGITS.fullmatch(value) is None:
            raise ValidationError("Not a valid integer.")
        return int(value)


class QueryBoolean(fields.Boolean):
    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> bool:
        if value not in ("true", "false"):
            raise ValidationError("Must be true or false.")
        return bool(value == "true")


class Id(fields.Integer):
    """An id in a response."""


def nullable(schema: type[Schema], **kwargs: Any) -> fields.Nested:
    return fields.Nested(schema, allow_none=True, **kwargs)
