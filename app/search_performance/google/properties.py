"""Sites in Google Search Console, which it calls properties, and the one that belongs to a project. Pure."""

from collections.abc import Iterable
from typing import Final

from app.infra.urls import InvalidUrl, host_of, normalise, same_site

DOMAIN: Final = "sc-domain:"
"""How the address of a property begins that has all addresses of a domain."""


def best_match(site_urls: Iterable[str], project_url: str) -> str | None:
    """Return the property that fits a project best, None if none belongs to its site.

    A property of the project's own folder comes first, then one of its domain, then one of its host, then
    any other of the same site. Of two alike, the more specific one is taken.
    """
    ranked = [(_rank(site_url, project_url), len(site_url), site_url) for site_url in site_urls]
    rank, _, best = max(ranked, default=(0, 0, None))
    return best if rank else None


def _rank(site_url: str, project_url: str) -> int:
    host = host_of(project_url)
    if site_url.startswith(DOMAIN):
        domain = site_url.removeprefix(DOMAIN)
        return 3 if host == domain or host.endswith(f".{domain}") else 0
    try:
        prefix = normalise(site_url)
    except InvalidUrl:
        return 0
    if project_url.startswith(prefix):
        return 4 if prefix.count("/") > 3 else 2
    return 1 if same_site(project_url, prefix) else 0
