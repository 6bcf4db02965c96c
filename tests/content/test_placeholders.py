"""Placeholders that a model leaves: words that stand for what it did not know."""

from __future__ import annotations

import pytest

from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit


def veto_of(text: str) -> Veto:
    return Veto(evidence(unit("1:b1", text), given=""), "en")


@pytest.mark.parametrize(
    "text", ["Write “Hello [name]” on the jar.", "NAME keeps the hive.", "YOUR NAME is on it."]
)
@pytest.mark.parametrize("evidence_says", ["The name of the keeper is on the jar.", "Nothing of the kind."])
def test_a_placeholder_is_called_one_whatever_the_evidence_says(text: str, evidence_says: str) -> None:
    found = veto_of(evidence_says).violations(model_says(text, "1:b1"))
    assert [violation.partition("” ")[2] for violation in found] == ["is a placeholder that nobody filled in"]


def test_a_placeholder_of_the_evidence_may_be_repeated() -> None:
    veto = veto_of("Replace NAME with that of your hive, and HIVE_ID with its number.")
    assert veto.violations(model_says("NAME is that of your hive, HIVE_ID its number.", "1:b1")) == ()
