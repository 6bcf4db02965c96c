"""Input fields and schemas, shared by the API, the dashboard, the command line and the services."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from marshmallow import RAISE, Schema, ValidationError, fields, post_load, validate

from app.failures import ServiceFailure, invalid_field
from app.infra.one_line import one_line
from app.infra.urls import MAX_URL, InvalidUrl, normalise

# PostgreSQL rejects NUL, and a lone surrogate cannot be encoded as UTF-8.
_UNSTORABLE: Final = re.compile(r"[\x00\ud800-\udfff]")

_REQUIRED: Final[dict[str, Any]] = {"required": "This is required.", "null": "This is required."}


class Input(Schema):
    """A schema of input. Unknown members are rejected."""

    class Meta:
        unknown = RAISE


class Part(Input):
    """An object inside an input. Empty members are dropped."""

    @post_load
    def drop_empty(self, data: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """Return the members that have a value."""
        return {name: value for name, value in data.items() if value not in (None, "", [], {})}


class Text(fields.String):
    """A text of ``least`` to ``most`` characters after trimming. NUL and lone surrogates are rejected."""

    default_error_messages = {**_REQUIRED, "invalid": "This must be a text."}  # noqa: RUF012

    def __init__(
        self, least: int, most: int, *checks: Callable[[str], None], allow_none: bool = True, **kwargs: Any
    ) -> None:
        length = "Use {min} to {max} characters." if least else "Use at most {max} characters."
        fits = validate.Length(least, most, error=length)
        super().__init__(validate=(fits, *checks), allow_none=allow_none, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs) or ""
        if _UNSTORABLE.search(text):
            raise ValidationError("Leave out NUL and other characters that cannot be stored.")
        return text.strip()

    def _validate(self, value: Any) -> None:
        """Report the first problem only."""
        for check in self.validators:
            check(value)


class Line(Text):
    """A text on one line, such as a name (see ``one_line``)."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        return one_line(super()._deserialize(value, attr, data, **kwargs))


class WebAddress(fields.String):
    """An absolute http or https URL, kept as it is written."""

    default_error_messages = _REQUIRED

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validate=validate.Length(1, MAX_URL), **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        try:
            normalise(text or "")
        except InvalidUrl as error:
            raise ValidationError(f"Not a usable http or https address: {error.reason}.") from None
        return str(text).strip()


class Choice(fields.String):
    """One of a few words."""

    def __init__(self, choices: Iterable[str], **kwargs: Any) -> None:
        choices = tuple(choices)
        error = f"Must be one of: {', '.join(choices)}."
        super().__init__(validate=validate.OneOf(choices, error=error), **kwargs)


class Integer(fields.Integer):
    """A whole number, written as one: "12", 1.9 and true are rejected."""

    def __init__(self, *, least: int = 0, most: int = 2**31 - 1, **kwargs: Any) -> None:
        super().__init__(strict=True, validate=validate.Range(least, most), **kwargs)


class Boolean(fields.Boolean):
    """``true`` or ``false``: "yes" and 1 are rejected."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def matching(pattern: str, message: str) -> Callable[[str], None]:
    """Return a validator that requires the whole text to match; a trailing line break counts."""
    compiled = re.compile(pattern, re.ASCII)

    def check(text: str) -> None:
        if compiled.fullmatch(text) is None:
            raise ValidationError(message)

    return check


@cache
def shared(
    schema: type[Schema], *, exclude: tuple[str, ...] = (), only: tuple[str, ...] | None = None
) -> Schema:
    """Return the instance of a schema that all requests use: making one copies all its fields."""
    return schema(exclude=exclude, only=only)


def load(schema: type[Schema], data: Any, *, location: str = "body", at: str = "") -> dict[str, Any]:
    """Return ``data`` as ``schema`` loads it. ``at`` is the JSON pointer of ``data`` in the request.

    Raises INVALID_REQUEST with one error for each wrong field.
    """
    if not isinstance(data, Mapping):
        raise invalid_field(at, "Must be an object.", location)
    try:
        loaded: dict[str, Any] = shared(schema).load(dict(data))
    except ValidationError as error:
        errors = [{"location": location, **each} for each in _flatten(error.messages_dict, at)]
        raise ServiceFailure("INVALID_REQUEST", errors=errors) from None
    return loaded


def escape_pointer(name: str) -> str:
    """Return a member's name as a JSON pointer writes it (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def _flatten(messages: Mapping[Any, Any], at: str) -> Iterator[dict[str, str]]:
    for name, inner in messages.items():
        field = at if name == "_schema" else f"{at}/{escape_pointer(str(name))}"
        if isinstance(inner, Mapping):
            yield from _flatten(inner, field)
            continue
        for message in inner if isinstance(inner, list) else [inner]:
            yield {"field": field, "message": str(message)}
