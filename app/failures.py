"""The failures of the service (taxonomy v1): their codes, and the exception that services raise.

Every code is a table of failures.toml; docs/failures.md is generated from it. The interfaces present a
``Failure`` as JSON or HTML and never make up a code. Imports no other module of the service.
"""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

TAXONOMY_VERSION: Final = "v1"
T = TypeVar("T")

Category = Literal["validation", "policy", "dependency", "timeout", "quota", "unknown"]


@dataclass(frozen=True)
class FailureKind:
    """One entry of the catalogue. ``http`` is None for a code that only a job's failure has."""

    code: str
    category: Category
    http: int | None
    retryable: bool
    message: str
    hints: tuple[str, ...]
    next_actions: tuple[str, ...]

    @property
    def fix_required(self) -> bool:
        """Whether something has to change before the request can succeed."""
        return not self.retryable


@dataclass(frozen=True)
class Failure:
    """One failure: its kind, and the message, hints, next actions and details of this case.

    ``details`` is JSON-ready and never contains a secret.
    """

    kind: FailureKind
    message: str
    hints: tuple[str, ...]
    next_actions: tuple[str, ...]
    details: Mapping[str, Any] | None = None

    @property
    def code(self) -> str:
        return self.kind.code

    def to_dict(self) -> dict[str, Any]:
        return {
            "taxonomy_version": TAXONOMY_VERSION,
            "category": self.kind.category,
            "code": self.kind.code,
            "message": self.message,
            "retryable": self.kind.retryable,
            "fix_required": self.kind.fix_required,
            "remediation_hints": list(self.hints),
            "next_actions": list(self.next_actions),
            "details": dict(self.details) if self.details is not None else None,
        }


class ServiceFailure(Exception):
    """Raised by a service that refuses or fails. The interfaces present it; in a job it becomes its failure.

    ``errors`` are messages for single fields: ``{"location", "field", "message"}``. ``headers`` are response
    headers such as Retry-After or Location.
    """

    def __init__(
        self,
        code: str,
        message: str | None = None,
        *,
        hints: Sequence[str] | None = None,
        without: Collection[str] = (),
        details: Mapping[str, Any] | None = None,
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.failure = failure(code, message, hints=hints, without=without, details=details)
        self.errors = tuple(errors)
        self.headers = dict(headers or {})
        super().__init__(f"{code}: {self.failure.message}")

    @property
    def first_message(self) -> str:
        """The message for the first field, or else that of the failure."""
        return self.errors[0]["message"] if self.errors else self.failure.message


def failure(
    code: str,
    message: str | None = None,
    *,
    hints: Sequence[str] | None = None,
    without: Collection[str] = (),
    details: Mapping[str, Any] | None = None,
) -> Failure:
    """Return a failure of the catalogue. ``without`` are next actions that do not apply to this case.

    Message and hints default to those of the catalogue. Raises KeyError for an unknown code.
    """
    kind = CATALOGUE[code]
    actions = tuple(action for action in kind.next_actions if action not in without)
    used_hints = kind.hints if hints is None else tuple(hints)
    return Failure(kind, message or kind.message, used_hints, actions, details)


def invalid_field(field: str, message: str, location: str = "body") -> ServiceFailure:
    """Return the INVALID_REQUEST failure for one field; ``field`` is a path such as ``/payload/topic``."""
    return ServiceFailure(
        "INVALID_REQUEST", errors=[{"location": location, "field": field, "message": message}]
    )


def existing(found: T | None, code: str, message: str | None = None, **details: Any) -> T:
    """Return what was found. Raises the failure ``code`` for None."""
    if found is None:
        raise ServiceFailure(code, message, details=details or None)
    return found


def _load() -> Mapping[str, FailureKind]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {
        code: FailureKind(
            code,
            row["category"],
            row.get("http"),
            row["retryable"],
            row["message"],
            tuple(row["hints"]),
            tuple(row["next_actions"]),
        )
        for code, row in table.items()
    }


CATALOGUE: Final = _load()
