"""The base of all forms: what a person typed, with the errors of form and service beside the fields."""

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from flask import render_template, request
from flask.typing import ResponseReturnValue
from wtforms import Field, Form, TextAreaField, URLField

from app.dashboard.ui.failures import with_wait
from app.executions.idempotency import check_key
from app.failures import Failure, ServiceFailure, invalid_field

T = TypeVar("T")


class PageForm(Form):
    """A form of the dashboard. ``failure`` is shown as a card above the fields, ``notes`` below its message.

    ``places`` maps a member of a service's input to the field that shows its errors, if their names differ.
    ``makes`` names what the form creates. This is WTForms' own Form: the dashboard's blueprints check the
    token of every POST before any view runs.
    """

    class Meta:
        def wrap_formdata(self, _form: Form, formdata: Any) -> Any:
            """Return what was posted, None for nothing: a box on a form that was not sent is not unticked."""
            return formdata or None

    places: ClassVar[Mapping[str, str]] = {}
    makes: ClassVar[str] = "job"
    failure: Failure | None = None
    notes: Sequence[str] = ()
    retry_after: str | None = None

    def show_failure(self, error: ServiceFailure) -> None:
        """Put a service's messages beside their fields. Messages that belong to no field go on top."""
        notes = []
        for each in error.errors:
            field, line = self._field_at(each["field"])
            if field is None:
                notes.append(f"{each['field'].strip('/')}: {each['message']}")
            else:
                field.errors = [*field.errors, f"{line}{each['message']}"]
        self.retry_after = error.headers.get("Retry-After")
        if notes or self.retry_after or not error.errors:
            self.failure = with_wait(error)
            self.notes = notes

    def _field_at(self, path: str) -> tuple[Field | None, str]:
        return self._fields.get(self._field_name(path)), line_of(path)

    def _field_name(self, path: str) -> str:
        parts = [part for part in path.removeprefix("/payload").split("/") if part and not part.isdigit()]
        names = ("/".join(parts), *parts[:1], *parts[-1:])
        return next((self.places.get(n, n) for n in names if n in self.places or n in self._fields), "")

    @property
    def status(self) -> int:
        if self.failure and self.failure.code == "RATE_LIMITED":
            return 429
        return 422 if self.failure or self.errors else 200

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": self.retry_after} if self.retry_after else {}

    def typed(self) -> dict[str, Any]:
        """Return the fields' values: text stripped, empty text as None."""
        values: dict[str, Any] = {}
        for name, field in self._fields.items():
            value = field.data
            values[name] = value.strip() or None if isinstance(value, str) else value
        return values


class AddressField(URLField):
    """A URL. Without a scheme it gets https."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        super().process_formdata(valuelist)
        typed = (self.data or "").strip()
        if typed:
            self.data = with_scheme(typed)


class LineField(TextAreaField):
    def process_formdata(self, valuelist: list[Any]) -> None:
        if valuelist:
            self.data = " ".join(valuelist[0].split())


class LinesField(TextAreaField):
    """A list of texts, one on each line. Empty lines are dropped."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        if valuelist:
            self.data = lines(valuelist[0])  # type: ignore[assignment]

    def _value(self) -> str:
        return "\n".join(self.data or ())


def with_scheme(address: str, scheme: str = "https") -> str:
    """Return an address as it was typed, with the scheme if it has none."""
    address = address.strip()
    is_whole = not address or "://" in address or address.startswith("/")
    return address if is_whole else f"{scheme}://{address}"


def submitted(form: PageForm, action: Callable[[], T]) -> T | None:
    """Validate a posted form and return what ``action`` returns; None if the form has to be shown (again)."""
    if request.method != "POST" or not form.validate():
        return None
    try:
        return action()
    except ServiceFailure as error:
        form.show_failure(error)
        return None


def is_done(form: PageForm, action: Callable[[], object]) -> bool:
    """Validate a posted form and call ``action``; return False if the form has to be shown (again)."""
    return submitted(form, lambda: [action()]) is not None


def form_page(template: str, form: PageForm, **members: Any) -> ResponseReturnValue:
    return render_template(template, form=form, **members), form.status, form.headers


def job_key() -> str:
    """Return the Idempotency-Key in the posted form. With it a double click creates one job."""
    return check_key(request.form.get("job_key"))


def fresh_key() -> str:
    return uuid.uuid4().hex


def lines(text: str | None) -> list[str]:
    """Return the lines of a text, stripped, without empty ones."""
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


def line_of(path: str) -> str:
    """Return the number of the line that a path names, such as ``No. 2: ``; empty without one."""
    number = next((part for part in path.split("/") if part.isdigit()), None)
    return "" if number is None else f"No. {int(number) + 1}: "


def whole_number(text: str | None, path: str, digits: int) -> int | None:
    """Return a typed number of at most so many digits, None if nothing was typed. Raises INVALID_REQUEST."""
    written = (text or "").strip().replace(",", "")
    if not re.fullmatch(rf"[0-9]{{0,{digits}}}", written, re.ASCII):
        raise invalid_field(path, "Give a whole number.")
    return int(written) if written else None
