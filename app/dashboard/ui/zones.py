"""The reader's time zone: the one of the profile, or a cookie that the browser has set; without both UTC.

A form with a time sets the cookie, too.
"""

from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from flask import Flask, Response, after_this_request, request
from flask_login import current_user

from app.infra.local_time import zone_named

COOKIE: Final = "zone"
"""app.js sets it, too, in a browser that has none."""

_UTC: Final = ZoneInfo("UTC")


def reader_zone() -> ZoneInfo:
    return profile_zone() or browser_zone()


def profile_zone() -> ZoneInfo | None:
    """Return the time zone that the signed-in person has chosen, None without a choice."""
    return zone_named(getattr(current_user, "time_zone", None))


def browser_zone() -> ZoneInfo:
    """Return the time zone of the cookie, UTC without one."""
    return zone_named(request.cookies.get(COOKIE)) or _UTC


def remember_zone(zone: ZoneInfo) -> None:
    """Show all times in this zone until the browser is closed, unless the profile has one."""

    @after_this_request
    def _set(response: Response) -> Response:
        response.set_cookie(COOKIE, zone.key, samesite="Lax", secure=request.is_secure)
        return response


def local_text(moment: datetime, zone: ZoneInfo | None = None) -> str:
    """Return a time as clocks of a zone, the reader's by default, show it: ``Tue 24 Nov 2026, 09:00``."""
    return moment.astimezone(zone or reader_zone()).strftime("%a %-d %b %Y, %H:%M")


def absolute(moment: datetime) -> str:
    """Return a time in full in the reader's zone: ``Tue 24 Nov 2026, 09:00:12 Europe/Berlin time``."""
    zone = reader_zone()
    return f"{moment.astimezone(zone):%a %-d %b %Y, %H:%M:%S} {zone_words(zone)}"


def local_clock(moment: datetime) -> str:
    """Return what clocks of the reader's zone show at a moment, such as ``09:00``."""
    return moment.astimezone(reader_zone()).strftime("%H:%M")


def day_text(day: date) -> str:
    """Return a day such as ``Tue 24 Nov``."""
    return day.strftime("%a %-d %b")


def zone_text(zone: ZoneInfo | None = None) -> str:
    """Return a zone's name, the reader's by default, as people write it: ``America/New York``."""
    return (zone or reader_zone()).key.replace("_", " ")


def zone_words(zone: ZoneInfo | None = None) -> str:
    """Return what follows a time of a zone, the reader's by default: ``America/New York time``, ``UTC``."""
    name = zone_text(zone)
    return name if name == _UTC.key else f"{name} time"


def init_zones(app: Flask) -> None:
    filters = (absolute, local_text, local_clock, day_text)
    app.jinja_env.filters.update({each.__name__: each for each in filters})
    app.jinja_env.globals.update(
        zone_text=zone_text, zone_words=zone_words, zone_name=lambda: reader_zone().key
    )
