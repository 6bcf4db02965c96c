"""Files that the dashboard makes and sends."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response, stream_with_context


def send_csv(lines: Iterator[str], name: str) -> Response:
    """Send lines as they are made, as a CSV file; ``name`` is that of the file without its ending."""
    disposition = f'attachment; filename="{name}.csv"'
    return Response(
        stream_with_context(lines), mimetype="text/csv", headers={"Content-Disposition": disposition}
    )
