"""What a kind of publish target provides: its settings, its texts for people, and its calls.

A kind translates between this service and one vendor's interface. It does not decide when to send or to look
up, and it stores nothing: delivery, publications and reconcile do that for every kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from app.failures import Failure
from app.infra.checks import refuse_unknown, required_text
from app.infra.http.client import Fetcher

DeliveryCertainty = Literal["not_delivered", "unknown"]

NOT_DELIVERED: Final[DeliveryCertainty] = "not_delivered"
UNKNOWN: Final[DeliveryCertainty] = "unknown"

CALL_SECONDS: Final = 20.0
"""The longest time that one call to a target may take, with its response."""

_MOST_SETTING: Final = 2048


@dataclass(frozen=True)
class Document:
    """A post as it is sent: ``post`` is JSON-ready, and each call carries the ``publication_id``.

    The post's ``version`` grows with each change, so each update has its own number. ``digest`` identifies
    the text. ``is_update`` is set when the text replaces the one at the target.
    """

    publication_id: str
    digest: str
    post: Mapping[str, Any]
    is_update: bool = False


@dataclass(frozen=True)
class Access:
    """What a call to a target needs: its settings, its secret in plain text, and the HTTP client."""

    settings: Mapping[str, Any]
    secret: str | None = field(repr=False)
    http: Fetcher


@dataclass(frozen=True)
class Delivered:
    """A post at its target: the target's own id, if known, and the address where it can be read."""

    external_id: str | None
    url: str


class PublishProblem(Exception):
    """A call that failed: the failure, and how certain it is that the target does not have the text."""

    def __init__(self, failure: Failure, certainty: DeliveryCertainty) -> None:
        self.failure = failure
        self.certainty = certainty
        super().__init__(f"{failure.code}, {certainty}")


@dataclass(frozen=True)
class Setting:
    """One setting of a kind: how the dashboard's form and the command line ask for it.

    ``check`` takes the value and its path in the request, such as ``/settings/url``, and returns the value to
    store. It raises INVALID_REQUEST or URL_NOT_ALLOWED and makes no calls. ``is_address`` is set for URLs.
    """

    name: str
    label: str
    hint: str
    check: Callable[[str, str], str]
    placeholder: str = ""
    is_address: bool = False


@dataclass(frozen=True)
class GeneratedSecret:
    """A secret that this service makes for each target and shows once.

    ``usage`` explains to the owner what to do with it, ``rotation`` what happens to the former secret.
    """

    generate: Callable[[], str]
    usage: str
    rotation: str


@dataclass(frozen=True)
class TargetKind:
    """One kind of publish target: one row of the registry.

    ``name`` is stored with each target and never changes. ``title``, ``summary`` (what such a target does)
    and ``unpublishing`` (how its owner removes a post there) are shown to people.

    ``deliver`` makes a document readable at the target, in one attempt. ``look_up`` takes a publication id
    and returns the post at the target, or None if the target certainly does not have it. If its third
    argument is not None, it is the digest of an update: None is then also returned if the target certainly
    has another text. Both raise PublishProblem; ``look_up`` does so when the target cannot tell.
    """

    name: str
    title: str
    summary: str
    unpublishing: str
    settings: tuple[Setting, ...]
    deliver: Callable[[Document, Access], Delivered]
    look_up: Callable[[str, Access, str | None], Delivered | None]
    secret: GeneratedSecret | None = None

    def checked_settings(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Return the settings to store. Raises INVALID_REQUEST or URL_NOT_ALLOWED; makes no calls."""
        refuse_unknown(values, [setting.name for setting in self.settings])
        checked = {}
        for setting in self.settings:
            path = f"settings/{setting.name}"
            checked[setting.name] = setting.check(
                required_text(path, values.get(setting.name), _MOST_SETTING), f"/{path}"
            )
        return checked
