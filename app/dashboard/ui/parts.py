"""Parts of pages that scripts ask for on their own."""

from __future__ import annotations

from typing import Any

from flask import render_template

from app.dashboard.ui.assets import icon_sheet


def render_part(template: str, **context: Any) -> str:
    """Return a part of a page, followed by the drawings of its icons: the page may not have shown them."""
    return f"{render_template(template, **context)}{icon_sheet()}"
