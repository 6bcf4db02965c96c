"""Forms: what was typed, and what a service said about it, beside the fields."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from flask import request
from wtforms import Field, Form, TextAreaField, URLField

from app.executions.idempotency import check_key
from app.failures import Failure, ServiceFailure

T = TypeVar("T")


class PageForm(Form):
    """A form of the dashboard. ``failure`` is what a service refused, shown as a card above the fields.

    ``places`` names the field for a member of the input that is called or built otherwise; ``makes`` says
    what sending the form makes.
    WTForms' own Form is used: the token of the page is checked for every dashboard POST before any view.
    """

    class Meta:
        def wrap_formdata(self, _form: Form, formdata: Any) -> Any:
            """Return what was posted, None for nothing: a box that nobody saw was not left unticked."""
            return formdata or None

    places: ClassVar[Mapping[str, str]] = {}
    makes: ClassVar[str] = "job"
    failure: Failure | None = None
    notes: Sequence[str] = ()

    def refuse(self, refused: ServiceFailure) -> None:
        """Put a service's messages beside their fields; what belongs to no field stays on top."""
        homeless = []
        for error in refused.errors:
            field, line = self._placed(error["field"])
            if field is None:
                homeless.append(f"{error['field'].strip('/')}: {error['message']}")
            else:
                field.errors = [*field.errors, f"{line}{error['message']}"]
        if "Retry-After" in refused.headers:
            homeless.append(f"Try again in {refused.headers['Retry-After']} seconds.")
        if homeless or not refused.errors:
            self.failure = refused.failure
            self.notes = homeless

    def _placed(self, path: str) -> tuple[Field | None, str]:
        """Return the form field that a service's path means, and which of its lines."""
        return self._fields.get(self._place(path)), line_of(path)

    def _place(self, path: str) -> str:
        """Return the form field that a service's path means: ``/payload/topic`` is ``topic``."""
        parts = [part for part in path.removeprefix("/payload").split("/") if part and not part.isdigit()]
        names = ("/".join(parts), *parts[:1], *parts[-1:])
        return next((self.places.get(n, n) for n in names if n in self.places or n in self._fields), "")

    @property
    def status(self) -> int:
        """The HTTP status of the page that shows this form."""
        return 422 if self.failure or self.errors else 200

    def typed(self) -> dict[str, Any]:
        """Return the fields' values: text stripped, empty text as None."""
        values: dict[str, Any] = {}
        for name, field in self._fields.items():
            value = field.data
            if isinstance(value, str):
                value = value.strip() or None
            values[name] = value
        return values


class AddressField(URLField):
    """The address of a website or of something on it; https is meant where no scheme is written."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Take the address that was typed."""
        super().process_formdata(valuelist)
        typed = (self.data or "").strip()
        if typed and "://" not in typed and not typed.startswith("/"):
            self.data = f"https://{typed}"


class LinesField(TextAreaField):
    """A list of texts, one on each line; empty lines are none."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Take the lines that were typed."""
        if valuelist:
            lines = (line.strip() for line in valuelist[0].splitlines())
            self.data = [line for line in lines if line]  # type: ignore[assignment]

    def _value(self) -> str:
        return "\n".join(self.data or ())


def submitted(form: PageForm, action: Callable[[], T]) -> T | None:
    """Validate a posted form and call ``action``; None when there is something to show to the person."""
    if request.method != "POST" or not form.validate():
        return None
    try:
        return action()
    except ServiceFailure as refused:
        form.refuse(refused)
        return None


def job_key() -> str:
    """Return the idempotency key that the page's form carried: a double click makes one job."""
    return check_key(request.form.get("job_key"))


def fresh_key() -> str:
    """Return a key for a form that makes a job."""
    return uuid.uuid4().hex


def line_of(path: str) -> str:
    """Return which of several lines a path means, to be said before what is wrong with it."""
    number = next((part for part in path.split("/") if part.isdigit()), None)
    return "" if number is None else f"No. {int(number) + 1}: "
