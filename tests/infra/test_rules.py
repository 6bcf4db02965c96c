"""The rules of addresses build what Werkzeug's own build."""

from __future__ import annotations

import pytest
from flask import Flask
from werkzeug.routing import Map, Rule

from app.infra.rules import LighterRule


@pytest.mark.parametrize("rule", [Rule, LighterRule])
def test_unknown_arguments_become_a_query_or_are_left_out(rule: type[Rule]) -> None:
    addresses = Map([rule("/pages/<int:page_id>", endpoint="page")]).bind("service.example")
    arguments = {"page_id": 1, "sort": "é"}
    assert addresses.build("page", arguments) == "/pages/1?sort=%C3%A9"
    assert addresses.build("page", arguments, append_unknown=False) == "/pages/1"


def test_all_rules_but_that_of_static_files_are_lighter(app: Flask) -> None:
    others = [rule.endpoint for rule in app.url_map.iter_rules() if not isinstance(rule, LighterRule)]
    assert others == ["static"]
