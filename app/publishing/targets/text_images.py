"""The stored images of a document's text, at the addresses that they have at a target. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from app.content.rendering.images import html_with_addresses
from app.publishing.targets.base import Document


def at_addresses(document: Document, addresses: Mapping[int, str]) -> Document:
    """Return a document whose HTML shows its images at these addresses, by their ids."""
    if not document.images:
        return document
    html = html_with_addresses(document.post["content_html"], addresses.get)
    return replace(document, post={**document.post, "content_html": html})
