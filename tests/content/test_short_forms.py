"""What people write in short, and evidence in full, or the other way round: days, rules, the site's name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, material_of, model_says, unit

WEEK = unit("2:b1", "Sat 13: high water at 10.34. Wed 17: none.", path=("Week of 13–19 June 2026",))
RULES = unit(
    "2:b2",
    "1. Tally on.\n2. Keep off the bar.",
    "list",
    path=("The rules",),
    numbered=True,
    items=("Tally on.", "Keep off the bar."),
)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("On Wednesday 17 June 2026 there is none.", True),
        ("On 20 June 2026 there is none.", False),
        ("Rule 2 says to keep off the bar.", True),
        ("Rule 3 says to keep off the bar.", False),
        ("Keep 2 metres off the bar.", False),
    ],
)
def test_days_of_a_range_and_numbers_of_a_list_stand_in_the_evidence(text: str, is_right: bool) -> None:
    veto = Veto(evidence(WEEK, RULES), "en")
    assert (veto.violations(model_says(text, "2:b1", "2:b2")) == ()) is is_right


def test_a_site_may_call_itself_by_its_initials(bees: SourceSnapshot) -> None:
    named = material_of(replace(bees, project_name="Open Bee School"), topic="beehive")
    veto = Veto(named.evidence(named.index.units), "en")
    assert veto.violations(model_says("If you build a beehive for OBS yourself, take your time.")) == ()
    assert veto.violations(model_says("If you build a beehive for OBX yourself, take your time.")) != ()
