"""What views send beside whole pages: parts of pages that scripts ask for, and files that are made."""

from collections.abc import Iterator
from typing import Any

from flask import Response, render_template, stream_with_context

from app.dashboard.ui.assets import icon_sheet


def render_part(template: str, **context: Any) -> str:
    """Return a part of a page, followed by the drawings of its icons: the page may not have shown them."""
    return f"{render_template(template, **context)}{icon_sheet()}"


def send_csv(lines: Iterator[str], name: str) -> Response:
    """Send lines as they are made, as a CSV file; ``name`` is that of the file without its ending."""
    disposition = f'attachment; filename="{name}.csv"'
    return Response(
        stream_with_context(lines), mimetype="text/csv", headers={"Content-Disposition": disposition}
    )
