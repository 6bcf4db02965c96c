"""Fields of responses and of query strings. Those of JSON bodies are in infra/inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, Self

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


@cache
def _times_of(schema: type[Schema]) -> Mapping[str, bool]:
    """Return the names of a schema's members, and whether each is a time."""
    return {name: isinstance(field, Time) for name, field in shared(schema).fields.items()}


def shown(schema: type[Schema], row: object, computed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of ``schema``: those that are ``computed``, the others as ``row`` has them.

    For rows that lists have many of: dumping one with the schema takes several times as long. The values of
    the row must be what JSON has already, or times.
    """
    return {
        name: computed[name]
        if name in computed
        else rfc3339(getattr(row, name))
        if is_time
        else getattr(row, name)
        for name, is_time in _times_of(schema).items()
    }


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
    """``true`` or ``false`` in a query."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> bool:
        if value not in ("true", "false"):
            raise ValidationError("Must be true or false.")
        return bool(value == "true")


class Id(fields.Integer):
    """An id in a response."""


def nullable(schema: type[Schema], **kwargs: Any) -> fields.Nested:
    """Return the field for an object of ``schema`` or null."""
    return fields.Nested(schema, allow_none=True, **kwargs)
