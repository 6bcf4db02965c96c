"""Addresses of this site: where a redirect may lead, and which page sent a request."""

from urllib.parse import urlsplit, urlunsplit

from flask import request


def local_path(target: str | None) -> str | None:
    """Return ``target`` if it is a path of this site, else None. Nothing redirects to another site."""
    if not target or not target.isprintable() or "\\" in target:
        return None
    return target if target.startswith("/") and not target.startswith("//") else None


def back_or(address: str) -> str:
    """Return the page of this site that the form or the address names as ``back``, else ``address``."""
    return local_path(request.values.get("back")) or address


def path_here(url: str | None) -> str | None:
    """Return path and query of a URL of this site, else None. ``url`` is what a browser says, or anybody."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return urlunsplit(("", "", parts.path, parts.query, "")) if parts.netloc == request.host else None
