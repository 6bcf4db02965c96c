"""How many statements the pages of the dashboard take."""

from __future__ import annotations

from typing import Final

from flask import Flask

from app.infra.db import db
from tests.dashboard.conftest import Visitor
from tests.dashboard.test_dashboard_guards import addresses
from tests.support.plans import listening

MOST: Final = 12


def test_a_page_of_the_dashboard_takes_a_dozen_statements_at_most(
    app: Flask, alice: Visitor, things: dict[str, int]
) -> None:
    with app.app_context():
        engine = db.engine
    for _rule, path in addresses(app, things, "GET"):
        alice.get(path)
        with listening(engine) as executed:
            alice.get(path)
        assert len(executed) <= MOST, path
