"""Messages after an action, with their undo."""

from __future__ import annotations

import pytest

from tests.dashboard.conftest import Visitor


@pytest.mark.parametrize("path", ["pages", "posts/{post_id}", "start"])
def test_every_layout_shows_a_message_with_its_undo(
    alice: Visitor, things: dict[str, int], path: str
) -> None:
    with alice.client.session_transaction() as session:
        session["_flashes"] = [("undo:/projects/1/keywords/removals/1/undo", "Removed.")]
    text = alice.get(f"/projects/{things['project_id']}/{path.format(**things)}").text
    assert "<span>Removed.</span>" in text
    assert 'action="/projects/1/keywords/removals/1/undo"' in text
    assert "toasts.js" in text
