"""The alerts and the dashboard of docs/monitoring: their metrics exist, and its cause raises each alert."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from devtools.local import ROOT
from devtools.prometheus import find_prometheus
from tests.monitoring.alert_cases import CASES, Series
from tests.monitoring.conftest import Metrics
from tests.support.needs import need

FOLDER = ROOT / "docs" / "monitoring"
RULES = FOLDER / "alerts.yml"
DASHBOARD = json.loads((FOLDER / "dashboard.json").read_text())


def alerts() -> list[dict[str, Any]]:
    [group] = yaml.safe_load(RULES.read_text())["groups"]
    return list(group["rules"])


def expressions() -> list[str]:
    """What the alerts and the panels of the dashboard ask for."""
    asked = [each["expr"] for panel in DASHBOARD["panels"] for each in panel["targets"]]
    return [*(alert["expr"] for alert in alerts()), *asked]


def test_alerts_and_dashboard_ask_for_metrics_that_exist(scrape: Callable[[], Metrics]) -> None:
    rows = re.findall(r"^\| `(seo_\w+)` \| (\w+)", (ROOT / "docs/monitoring.md").read_text(), re.MULTILINE)
    known = {f"{name}{end}" for name, kind in rows for end in _endings(kind)}
    asked = {name for expression in expressions() for name in re.findall(r"\bseo_\w+", expression)}
    assert asked <= known
    exposed = {key[0] for key in scrape()}
    assert {name for name in asked - exposed if "request" not in name and "connections" not in name} == set()


def _endings(kind: str) -> tuple[str, ...]:
    return ("_bucket", "_count", "_sum") if kind == "histogram" else ("",)


def test_each_panel_has_a_place_of_its_own() -> None:
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in DASHBOARD["panels"]]
    assert len(set(places)) == len({panel["id"] for panel in DASHBOARD["panels"]}) == len(places)


def test_each_alert_is_documented_and_has_its_cases() -> None:
    names = [alert["alert"] for alert in alerts()]
    documented = re.findall(r"^\| `(Seo\w+)` \|", (ROOT / "docs/monitoring.md").read_text(), re.MULTILINE)
    assert documented == names == list(CASES)


@pytest.mark.thorough
@pytest.mark.prometheus
def test_each_alert_is_raised_by_its_cause_and_by_nothing_less(tmp_path: Path) -> None:
    need(find_prometheus(), "Prometheus")
    cases = [
        _case(name, series, fires)
        for name, case in CASES.items()
        for series, fires in ((case.fires, True), (case.quiet, False))
    ]
    tests = tmp_path / "tests.yml"
    tests.write_text(json.dumps({"rule_files": [str(RULES)], "tests": cases}))
    result = subprocess.run(["promtool", "test", "rules", tests], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def _case(name: str, series: Series, fires: bool) -> dict[str, Any]:
    expected = [{"labels": "{}", "value": 1}] if fires else []
    firing = {
        "expr": f'count(ALERTS{{alertname="{name}",alertstate="firing"}})', "eval_time": "59m",
        "exp_samples": expected,
    }  # fmt: skip
    values = [{"series": key, "values": value} for key, value in series.items()]
    return {"interval": "1m", "input_series": values, "promql_expr_test": [firing]}
