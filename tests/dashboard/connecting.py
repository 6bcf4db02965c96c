"""Connecting the diary of tests/support/target_kinds.py by its form."""

from __future__ import annotations

import re
from html import unescape

from tests.dashboard.conftest import Visitor
from tests.support.target_kinds import PASSWORD

FIELDS = {"url": "diary.example", "owner": "Alice", "secret": PASSWORD, "default_status": "live"}


def connect(alice: Visitor, targets: str, post: int | None = None, **changed: str) -> str:
    """Connect the diary; returns the path of its page."""
    query = f"?post={post}" if post is not None else ""
    answer = alice.send(f"{targets}/connect/diary{query}", {**FIELDS, **changed})
    assert answer.status_code == 302, answer.text
    return answer.location


def words(text: str) -> str:
    """What a page says, without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())
