"""The kinds of publish target; docs/adding-a-publisher.md tells how to add a row."""

from __future__ import annotations

from typing import Final

from app.failures import invalid_field
from app.publishing.base import Publisher
from app.publishing.webhook import WebhookPublisher

PUBLISHERS: Final[tuple[Publisher, ...]] = (WebhookPublisher(),)


def publisher_of(kind: str) -> Publisher:
    """Return the publisher of a kind of target. Raises INVALID_REQUEST that names ``/kind``."""
    for publisher in PUBLISHERS:
        if publisher.kind == kind:
            return publisher
    kinds = ", ".join(publisher.kind for publisher in PUBLISHERS)
    raise invalid_field("/kind", f"There is no such kind of target; use one of: {kinds}.")
