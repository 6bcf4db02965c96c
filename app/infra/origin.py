"""From where the present work was asked for: by which interface, and from which IP address."""

from dataclasses import dataclass

from flask import g, has_app_context


@dataclass(frozen=True)
class Origin:
    """``via`` is for people, such as ``the dashboard``; ``address`` is None without a request."""

    via: str
    address: str | None = None


def set_origin(via: str, address: str | None = None) -> None:
    g.origin = Origin(via, address)


def origin() -> Origin:
    """Return the origin of the present work; that of jobs and periodic tasks is the service."""
    found: Origin = g.get("origin") if has_app_context() and "origin" in g else Origin("the service")
    return found
