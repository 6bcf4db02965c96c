"""Icons, cut one by one out of the wheel's sprite and put into the page."""

from __future__ import annotations

import re
from functools import lru_cache

from markupsafe import Markup

from app.dashboard.assets import WHEEL


def icon(name: str) -> Markup:
    """Return an icon as decoration; the words beside it carry the meaning. Raises KeyError if unknown."""
    view_box, shapes = _symbols()[name]
    return Markup(  # noqa: S704 - the wheel's own drawing
        f'<svg class="icon" viewBox="{view_box}" fill="currentColor" aria-hidden="true" focusable="false">'
        f"{shapes}</svg>"
    )


@lru_cache(maxsize=1)
def _symbols() -> dict[str, tuple[str, str]]:
    sprite = (WHEEL / "icons" / "bootstrap-icons.svg").read_text(encoding="utf-8")
    found: dict[str, tuple[str, str]] = {}
    for attributes, shapes in re.findall(r"<symbol([^>]*)>(.*?)</symbol>", sprite, re.DOTALL):
        facts = dict(re.findall(r'([\w-]+)="([^"]*)"', attributes))
        found[facts["id"]] = (facts["viewBox"], shapes.strip())
    return found
