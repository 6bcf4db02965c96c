"""Fields that take JSON as it is: no number from a text, no truth from a word; and times as we write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate

from app.infra.clock import rfc3339
from app.infra.db import LARGEST_ID

_DIGITS: Final = re.compile(r"[0-9]{1,19}", re.ASCII)


class Out(Schema):
    """A schema of what we answer: every member is always there, and others may join them."""

    class Meta:
        unknown = EXCLUDE

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Document the member as always present."""
        field_obj.required = True


class Time(fields.DateTime):
    """A time as RFC 3339 in UTC; one that is written already stays."""

    def _serialize(self, value: datetime | str | None, attr: str | None, obj: Any, **_: Any) -> str | None:
        return value if isinstance(value, str) else rfc3339(value)


class QueryInteger(fields.Integer):
    """A whole number in a query: ASCII digits and nothing else."""

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
    """An id in an answer."""


def nullable(schema: type[Schema], **kwargs: Any) -> fields.Nested:
    """Return a member that holds an object of ``schema`` or null."""
    return fields.Nested(schema, allow_none=True, **kwargs)
