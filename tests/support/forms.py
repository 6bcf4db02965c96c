"""What a person sees in the dashboard's forms, and what a form asked for."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask

from app.executions.queries import reload


def payload_of(app: Flask, location: str) -> dict[str, Any]:
    """The input of the job of an execution page."""
    with app.app_context():
        return dict(reload(int(page_of(location).rpartition("/")[2])).payload)


def page_of(location: str) -> str:
    """The address of a job's page, without what it is asked to open."""
    return location.partition("?")[0]


def wrong(text: str, field: str) -> str:
    """What is said to be wrong with a field."""
    found = re.search(rf'id="{field}-wrong">(.*?)</p>', text, re.DOTALL)
    assert found is not None
    return found[1]


def boxes(text: str, name: str) -> dict[int, bool]:
    """The boxes of this name on a page: whether each is ticked."""
    tags = re.findall(r'<input type="checkbox" id="[^"]+" name="(\w+)" value="(\d+)"( checked)?>', text)
    return {int(value): bool(ticked) for found, value, ticked in tags if found == name}
