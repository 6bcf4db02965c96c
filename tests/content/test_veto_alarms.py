"""What a careful writer says is not stopped, and the falsehood beside it is."""

from __future__ import annotations

from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit


def test_no_name_goes_on_from_the_text_into_a_link() -> None:
    linked = model_says("Die Gründe stehen im Ratgeber [[page:7|Mähen, ohne Tieren zu schaden]].")
    veto = Veto(evidence(unit("7:b1", "Warum wir spät mähen.")), "de")
    assert veto.violations(linked) == ()
    assert veto.violations(model_says("Das schreibt [[page:7|Anna Berger]].")) != ()


def test_twenty_one_days_are_21() -> None:
    veto = Veto(evidence(unit("7:b1", "Twenty-one days on Nuc or Colony, without a card.")), "en")
    assert veto.violations(model_says("The trial of Nuc or Colony runs 21 days.", "7:b1")) == ()
    assert veto.violations(model_says("The trial of Nuc or Colony runs one day.", "7:b1")) != ()


def test_a_fraction_of_the_evidence_counts_whatever_follows_it() -> None:
    veto = Veto(evidence(unit("7:b1", "Of the missing pieces about a third were lying in cupboards.")), "en")
    assert veto.violations(model_says("About a third of them lay in cupboards.", "7:b1")) == ()
    assert veto.violations(model_says("About a quarter of them lay in cupboards.", "7:b1")) != ()
