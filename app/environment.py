"""Single values of an environment: read by name, with what is wrong with them collected for the operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class Reader:
    """Reads single values and collects what is wrong with them, so that all problems are told at once."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.problems: list[str] = []

    def optional(self, name: str) -> str | None:
        return self._environ.get(name, "").strip() or None

    def text(self, name: str, default: str) -> str:
        return self.optional(name) or default

    def required(self, name: str) -> str:
        value = self.optional(name)
        if value is None:
            self.problems.append(f"{name} is not set. Locally, bin/dev sets it for you.")
        return value or ""

    def secret(self, name: str) -> str:
        value = self.required(name)
        if value and len(value) < 32:
            self.problems.append(f"{name} is too short: use at least 32 random characters.")
        return value

    def choice(self, name: str, default: str, choices: tuple[str, ...]) -> str:
        value = self.text(name, default)
        if value not in choices:
            self.problems.append(f"{name} must be one of {', '.join(choices)}.")
        return value

    def address(self, name: str, parse: Callable[[str], str], form: str) -> str:
        return self.parsed(name, "", parse, form) if self.required(name) else ""

    def parsed(self, name: str, default: T, parse: Callable[[str], T], form: str) -> T:
        value = self.optional(name)
        if value is None:
            return default
        try:
            return parse(value)
        except ValueError:
            self.problems.append(f"{name} must be {form}.")
            return default

    def integer(self, name: str, default: int, *, least: int = 1) -> int:
        value = self.parsed(name, default, int, "a whole number")
        if value < least:
            self.problems.append(f"{name} must be at least {least}.")
        return value

    def limit(self, name: str) -> int | None:
        return self.parsed(name, None, _whole_number, "a whole number that is not negative")

    def boolean(self, name: str, default: bool) -> bool:
        return self.parsed(name, default, _truth, "1, true, yes or 0, false, no")


def _whole_number(text: str) -> int | None:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def _truth(text: str) -> bool:
    truths: dict[str, Any] = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    if text.lower() not in truths:
        raise ValueError(text)
    return bool(truths[text.lower()])
