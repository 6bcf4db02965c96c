"""What a publisher is: vendor code behind one small protocol.

A publisher speaks one vendor's language and translates its errors into ours, and does nothing else: when to
send, when to look and what to write down is decided in delivery and publications.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from app.failures import Failure
from app.infra.http.client import Fetcher

DeliveryCertainty = Literal["not_delivered", "unknown"]

NOT_DELIVERED: Final[DeliveryCertainty] = "not_delivered"
UNKNOWN: Final[DeliveryCertainty] = "unknown"

CALL_SECONDS: Final = 20.0
"""The longest one call to a target may take, answer included."""


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
    """A target as its publisher needs it: its settings, its secret in plain text, and the way outside."""

    settings: Mapping[str, Any]
    secret: str | None = field(repr=False)
    http: Fetcher


@dataclass(frozen=True)
class Delivered:
    """The post as the target has it: the target's own id if known, and the http(s) address to read it."""

    external_id: str | None
    url: str


class PublishProblem(Exception):
    """Raised by a publisher: what went wrong in our words, and whether the post may be at the target."""

    def __init__(self, failure: Failure, certainty: DeliveryCertainty) -> None:
        self.failure = failure
        self.certainty = certainty
        super().__init__(f"{failure.code}, {certainty}")


class Publisher(Protocol):
    """One kind of publish target."""

    kind: str
    title: str

    def checked_settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings to store. Raises INVALID_REQUEST or URL_NOT_ALLOWED. Calls nobody."""

    def new_secret(self) -> str | None:
        """Return a fresh secret to show once, or None when the secret comes from the vendor."""

    def deliver(self, document: Document, access: Access) -> Delivered:
        """Make the text readable at the target, in one attempt. Raises PublishProblem."""

    def look(self, publication_id: str, access: Access, update: str | None = None) -> Delivered | None:
        """Return the publication as the target has it, None when it surely has not.

        ``update`` is the digest of a text that was to take the place of another: None, too, when the target
        surely has another one. Raises PublishProblem when the target cannot tell; nothing is changed there.
        """
