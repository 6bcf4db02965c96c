"""What a post is expected to take, on the form of a generation."""

from __future__ import annotations

import re

from flask import Flask

from app.accounts.model import Account
from app.infra.db import db
from tests.dashboard.conftest import Visitor


def taken(text: str) -> dict[str, str]:
    """The facts of a page."""
    return dict(re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", text))


def test_the_form_says_what_a_post_took_and_what_is_left_of_the_month(
    app: Flask, alice: Visitor, project_id: int
) -> None:
    form = f"/projects/{project_id}/posts/generate"
    facts = taken(alice.get(form).text)
    assert (facts["Time"], facts["This month"]) == ("some seconds", "0 written, no limit")
    alice.run(alice.send(form, {"topic": "Grinders", "length": "500"}).location)
    with app.app_context():
        db.session.query(Account).one().monthly_post_limit = 30
        db.session.commit()
    facts = taken(alice.get(form).text)
    assert facts["Time"].startswith("about ")
    assert facts["Cost"] == "nothing: no language model is used"
    assert facts["This month"] == "1 of 30 posts used"
