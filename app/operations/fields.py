"""Fields of operations' inputs: strict, trimmed, and clear about what they want."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate


class Text(fields.String):
    """A string of ``least`` to ``most`` characters after trimming; NUL and lone surrogates are refused."""

    def __init__(self, least: int, most: int, *, allow_none: bool = True, **kwargs: Any) -> None:
        super().__init__(validate=validate.Length(least, most), allow_none=allow_none, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        if text is None or "\x00" in text:
            raise ValidationError("Leave out NUL characters.")
        return text.strip()


class Boolean(fields.Boolean):
    """``true`` or ``false``, and nothing that only looks like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def ids(most: int, description: str) -> fields.List[int]:
    """Return the field for up to ``most`` ids."""
    return fields.List(
        fields.Integer(strict=True, validate=validate.Range(1, 2**63 - 1)),
        allow_none=True,
        validate=validate.Length(max=most),
        metadata={"description": description},
    )
