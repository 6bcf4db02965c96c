"""What a reader of a manual fills in may stand in code although the evidence has it otherwise."""

from __future__ import annotations

import pytest

from app.content.drafts import Sentence
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, unit

UNITS = (
    unit(
        "1:b1",
        "start <name>: Start a process",
        "definition",
        lead_in="start <name>",
        items=("Start a process",),
    ),
    unit("1:b2", "Type ctl with an action, such as ctl stop all."),
    unit("1:b3", "[program:foo]\ncommand=/bin/cat\n[program:bar]\n[tool:pytest]", "code"),
    unit(
        "1:b4",
        "numprocs: How many are started. Default: 1",
        "definition",
        lead_in="numprocs",
        items=("How many.",),
    ),
    unit("1:b5", "$ zonec backup zone1.com. zone2.com.", "code"),
    unit("1:b6", "$ zonec set 'remote[main].address' '192.0.2.1'\nlimit:\n  - slip: INT", "code"),
    unit("1:b7", "The default is 1 for slip.", "definition", lead_in="slip", items=("1",)),
)


def violations(run: str, *ids: str, given: str = "run five copies of a worker") -> tuple[str, ...]:
    text = f"Now type {run} there."
    sentence = Sentence(text, ids, "model", code=((run, 0),))
    return Veto(evidence(*UNITS, given=given), "en").violations(sentence)


@pytest.mark.parametrize(
    ("run", "ids"),
    [
        ("ctl start <name>", ("1:b1", "1:b2")),
        ("ctl start worker", ("1:b1", "1:b2")),
        ("[program:worker]", ("1:b3",)),
        ("numprocs=5", ("1:b4",)),
        ("zonec backup example.com.", ("1:b5",)),
        ("zonec backup example.com", ("1:b5",)),
        ("zonec set 'limit[main].slip'", ("1:b6", "1:b7")),
    ],
)
def test_what_a_reader_fills_in_passes(run: str, ids: tuple[str, ...]) -> None:
    assert violations(run, *ids) == ()


@pytest.mark.parametrize(
    ("run", "ids"),
    [
        ("ctl start printer", ("1:b1", "1:b2")),
        ("zonec backup worker", ("1:b5",)),
        ("ctl start > file", ("1:b1", "1:b2")),
        ("[group:worker]", ("1:b3",)),
        ("[tool:mypy]", ("1:b3",)),
        ("bar[0:80]", ("1:b3",)),
        ("numprocs -p 5", ("1:b4",)),
        ("numprocs=7", ("1:b4",)),
        ("zonec backup evil.com.", ("1:b5",)),
        ("zonec set 'limit[main].port'", ("1:b6", "1:b7")),
        ("zonec restore example.com.", ("1:b5",)),
    ],
)
def test_what_no_evidence_documents_is_stopped(run: str, ids: tuple[str, ...]) -> None:
    assert violations(run, *ids) != ()


def test_outside_of_code_no_example_host_is_written() -> None:
    sentence = Sentence("Write to example.com soon.", ("1:b5",), "model")
    assert Veto(evidence(*UNITS), "en").violations(sentence) != ()
