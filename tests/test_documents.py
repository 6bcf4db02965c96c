"""The tables in the documents agree with the code."""

from __future__ import annotations

import re
import tomllib

from app.executions.failing import TRANSIENT
from app.executions.states import TRANSITIONS, Event
from devtools import tables_doc
from devtools.local import ROOT

EXECUTIONS = (ROOT / "docs" / "executions.md").read_text()
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()


def test_the_tests_that_the_verification_standard_names_exist() -> None:
    named = set(
        re.findall(r"`([a-z_]+/[a-z_0-9/]+\.py|test_[a-z_]+\.py)`", (ROOT / "docs/asvs.md").read_text())
    )
    assert len(named) > 40
    assert [
        each for each in sorted(named) if not (ROOT / "tests" / each).is_file() and each[:4] != "app/"
    ] == []


def test_every_event_of_a_history_is_documented_and_nothing_else() -> None:
    assert re.findall(r"^\| `(JOB_[A-Z_]+)` \|", EXECUTIONS, re.MULTILINE) == [event.value for event in Event]


def test_the_documented_moves_are_those_of_the_state_machine() -> None:
    rows = re.findall(r"^\| (`[a-z`, ]+) → `([a-z]+)` \|", EXECUTIONS, re.MULTILINE)
    documented = {(old, new) for olds, new in rows for old in re.findall("[a-z]+", olds)}
    assert documented == {(old.value, new.value) for old, news in TRANSITIONS.items() for new in news}


def test_the_documented_transient_failures_are_those_that_are_retried() -> None:
    listed = re.search(r"^Transient failures \((.*?)\)", EXECUTIONS, re.MULTILINE | re.DOTALL)
    assert listed is not None
    assert set(re.findall("[A-Z_]+", listed[1])) == TRANSIENT


def test_the_documented_layers_are_those_of_the_import_rules() -> None:
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    layers = [set(re.findall(r"app\.(\w+)", layer)) for layer in rules["layers"]]
    picture = ARCHITECTURE.partition("## Layers")[2].partition("**Import rules**")[0]
    drawn = [line.strip().split("  ")[0] for line in picture.splitlines() if line.startswith("    ")]
    assert [set(re.findall(r"\w+", line)) for line in drawn] == layers


def test_the_documented_layers_name_every_package() -> None:
    packages = {path.stem for path in (ROOT / "app").iterdir() if not path.name.startswith("_")}
    picture = ARCHITECTURE.partition("## Layers")[2].partition("**Import rules**")[0]
    assert packages - {"static", "templates"} <= set(re.findall(r"\w+", picture))


def test_the_documented_tables_are_those_of_the_models() -> None:
    is_current = tables_doc.PATH.read_text(encoding="utf-8") == tables_doc.render()
    assert is_current, "docs/tables.md is out of date: run python -m devtools.tables_doc"
