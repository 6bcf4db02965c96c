"""Forms: what was typed, and what a service said about it, beside the fields."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from flask import request
from wtforms import Form

from app.executions.idempotency import check_key
from app.failures import Failure, ServiceFailure

T = TypeVar("T")


class PageForm(Form):
    """A form of the dashboard. ``failure`` is what a service refused, shown as a card above the fields.

    WTForms' own Form is used: the token of the page is checked for every dashboard POST before any view.
    """

    failure: Failure | None = None
    notes: Sequence[str] = ()

    def refuse(self, refused: ServiceFailure) -> None:
        """Put a service's messages beside their fields; what belongs to no field stays on top."""
        homeless = []
        for error in refused.errors:
            field = self._fields.get(_field_name(error["field"]))
            if field is None:
                homeless.append(f"{error['field'].strip('/')}: {error['message']}")
            else:
                field.errors = [*field.errors, error["message"]]
        if "Retry-After" in refused.headers:
            homeless.append(f"Try again in {refused.headers['Retry-After']} seconds.")
        if homeless or not refused.errors:
            self.failure = refused.failure
            self.notes = homeless

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


def _field_name(path: str) -> str:
    """Return the form field a service's path means: ``/payload/topic`` is ``topic``."""
    parts = [part for part in path.split("/") if part and not part.isdigit()]
    return parts[-1] if parts else ""
