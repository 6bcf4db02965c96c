"""What people write in short, and evidence in full, or the other way round: days, rules, the site's name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.writing.veto.rules import Veto
from tests.content.conftest import PageMaker
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


def test_a_site_that_calls_itself_by_its_initials_may_do_so(
    bees: SourceSnapshot, make_page: PageMaker
) -> None:
    about = make_page(9, "about", [("h1", "About us"), ("p", "The OBS was founded by four friends.")])
    named = replace(bees, project_name="Open Bee School", pages=(*bees.pages, about))
    for pages, is_right in ((named.pages, True), (bees.pages, False)):
        site = material_of(replace(named, pages=pages), topic="beehive")
        veto = Veto(site.evidence(site.index.named(["1:b1"])), "en")
        told = model_says("If you build a beehive for OBS yourself, take your time.")
        assert (veto.violations(told) == ()) is is_right
