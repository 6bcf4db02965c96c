"""Prices, positions and changes in words."""

from datetime import date
from decimal import Decimal
from typing import Final

from app.infra.urls import readable
from app.search_performance.google.properties import DOMAIN
from app.search_performance.model import SearchImport


def price(value: Decimal | None, currency: str | None = None) -> str:
    """Return an amount of money, such as ``1.20 EUR``; a dash without one."""
    if value is None:
        return "–"
    return f"{value:,.2f} {currency or ''}".strip()


def position(value: float | None) -> str:
    """Return an average position with one decimal, a dash without one."""
    return "–" if value is None else f"{value:.1f}"


def day(value: date) -> str:
    """Return a day, such as ``3 May 2026``."""
    return f"{value.day} {value:%b %Y}"


def period(found: SearchImport) -> str:
    """Return the days of an import, such as ``3 Feb 2026 to 3 May 2026``."""
    return f"{day(found.first_day)} to {day(found.last_day)}"


def search_site(site_url: str) -> str:
    """Return a site of Google Search Console as people name it."""
    domain = site_url.removeprefix(DOMAIN)
    return site_url if domain == site_url else readable(domain)


def site_scope(site_url: str) -> str:
    return "The whole domain" if site_url.startswith(DOMAIN) else "Addresses that begin with this"


FILTERS: Final = (price, position, day, period, search_site, site_scope)
