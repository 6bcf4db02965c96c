"""Honest sentences are published and planted falsehoods are not, on two sites that no rule was made for."""

from __future__ import annotations

import pytest

from app.content.writing.article.checking import Checked
from app.content.writing.veto.rules import Veto
from tests.support.labelled_sentences import (
    BY_RULE,
    MOVED,
    SITES,
    Labelled,
    always_supported,
    by_label,
    checked,
    evidence_of,
    labelled,
    material,
    published,
    sentence_of,
)

MOST_LOST = 0.02
MOST_UNNAMED = 0.1
"""The share of them that neither name what they confuse nor have a figure with another beside it."""
FALSEHOODS = tuple(each for each in labelled() if not each.is_honest)
KINDS = sorted({each.kind for each in FALSEHOODS})


@pytest.fixture(scope="module")
def vetoes() -> dict[str, Veto]:
    return {
        site: Veto(found.evidence(found.index.units), "en") for site in SITES for found in [material(site)]
    }


@pytest.fixture(scope="module")
def honestly() -> dict[str, Checked]:
    return {site: checked(of(site), by_label) for site in SITES}


@pytest.fixture(scope="module")
def credulously() -> dict[str, Checked]:
    return {site: checked(of(site), always_supported) for site in SITES}


def of(site: str) -> list[Labelled]:
    return [each for each in labelled() if each.site == site]


def listed(sentences: list[str], of_all: int) -> str:
    return f"{len(sentences)} of {of_all}: " + " | ".join(sentences)


def test_the_set_is_large_and_half_of_its_falsehoods_show_only_to_who_understands() -> None:
    assert len({each.sentence for each in labelled()}) == len(labelled()) >= 220
    assert len(FALSEHOODS) >= 90
    in_figures = BY_RULE | MOVED
    assert sum(each.kind not in in_figures for each in FALSEHOODS) * 2 >= len(FALSEHOODS)
    assert all(bool(each.kind) != each.is_honest for each in labelled())


def test_the_deciding_words_are_in_the_evidence_that_is_named() -> None:
    for each in labelled():
        texts = [evidence_of(each.site)[name].text for name in each.evidence]
        assert each.deciding_words or each.label in {"unsupported", "no_claim"}, each
        assert not each.deciding_words or any(each.deciding_words in text for text in texts), each


@pytest.mark.parametrize("label", ["supported", "no_claim"])
def test_the_veto_stops_hardly_an_honest_sentence(label: str, vetoes: dict[str, Veto]) -> None:
    honest = [each for each in labelled() if each.label == label]
    lost = [each.sentence for each in honest if vetoes[each.site].violations(sentence_of(each))]
    assert len(lost) <= MOST_LOST * len(honest), listed(lost, len(honest))


@pytest.mark.parametrize("kind", sorted(BY_RULE))
def test_the_veto_stops_each_false_figure_name_and_quote(kind: str, vetoes: dict[str, Veto]) -> None:
    planted = [each for each in FALSEHOODS if each.kind == kind]
    passed = [each.sentence for each in planted if not vetoes[each.site].violations(sentence_of(each))]
    assert not passed, listed(passed, len(planted))


@pytest.mark.parametrize("kind", KINDS)
def test_an_honest_verifier_lets_no_falsehood_be_published(kind: str, honestly: dict[str, Checked]) -> None:
    planted = [each for each in FALSEHOODS if each.kind == kind]
    passed = [each.sentence for each in planted if each.sentence in published(honestly[each.site])]
    assert not passed, listed(passed, len(planted))


def test_with_an_honest_verifier_hardly_an_honest_sentence_is_lost(honestly: dict[str, Checked]) -> None:
    honest = [each for each in labelled() if each.is_honest]
    lost = [each.sentence for each in honest if each.sentence not in published(honestly[each.site])]
    assert len(lost) <= MOST_LOST * len(honest), listed(lost, len(honest))


@pytest.mark.parametrize("kind", sorted({*BY_RULE, "moved figure"}))
def test_a_credulous_verifier_lets_no_false_figure_name_or_quote_be_published(
    kind: str, credulously: dict[str, Checked]
) -> None:
    planted = [each for each in FALSEHOODS if each.kind == kind]
    passed = [each.sentence for each in planted if each.sentence in published(credulously[each.site])]
    assert not passed, listed(passed, len(planted))


def test_a_credulous_verifier_hardly_lets_a_plan_or_a_figure_of_something_else_be_published(
    credulously: dict[str, Checked],
) -> None:
    planted = [each for each in FALSEHOODS if each.kind in {"moved figure in prose", "wrong plan"}]
    passed = [each.sentence for each in planted if each.sentence in published(credulously[each.site])]
    assert len(passed) <= MOST_UNNAMED * len(planted), listed(passed, len(planted))
