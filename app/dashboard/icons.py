"""Icons, cut one by one out of the wheel's sprite: a page carries each one it shows once."""

from __future__ import annotations

import re
from functools import lru_cache

from flask import g
from markupsafe import Markup

from app.dashboard.assets import WHEEL


def icon(name: str) -> Markup:
    """Return an icon as decoration; the words beside it carry the meaning. Raises KeyError if unknown."""
    shown: dict[str, str] = g.setdefault("icons", {})
    shown[name] = _symbols()[name]
    return Markup('<svg class="icon" aria-hidden="true" focusable="false"><use href="#i-{}"/></svg>').format(
        name
    )


def icon_sheet() -> Markup:
    """Return the drawings of the icons that the page has shown so far; for the end of the page."""
    shown: dict[str, str] = g.get("icons", {})
    return Markup(f"<svg hidden>{''.join(shown.values())}</svg>")  # noqa: S704 - the wheel's own drawings


@lru_cache(maxsize=1)
def _symbols() -> dict[str, str]:
    sprite = (WHEEL / "icons" / "bootstrap-icons.svg").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for attributes, shapes in re.findall(r"<symbol([^>]*)>(.*?)</symbol>", sprite, re.DOTALL):
        facts = dict(re.findall(r'([\w-]+)="([^"]*)"', attributes))
        box, name = facts["viewBox"], facts["id"]
        found[name] = f'<symbol id="i-{name}" viewBox="{box}" fill="currentColor">{shapes.strip()}</symbol>'
    return found
