"""A post that is cut to its length loses what is least relevant, wherever that stands on its page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.planning.brief import build_brief
from app.content.request import GenerationRequest
from app.content.retrieval.passages import library_of
from app.content.writing.digest.outline import build_outline
from tests.content.conftest import PageMaker, Part, SiteMaker

TOPIC = "winter feed for a hive"
OPENING = "A winter feed for a hive is sugar that the bees have stored in their combs before the first frost."
ASIDE = "The village has a school, a mill and a church, and all of them stand on the hill behind the river."
ANSWER = "Winter feed for a hive weighs twelve kilos, and a large hive needs eighteen kilos of winter feed."


def headings(make_page: PageMaker, make_site: SiteMaker, names: tuple[str, ...], target: int) -> list[str]:
    """Return the headings of a post of so many words; the last section alone says more on the topic."""
    parts: list[Part] = [("h1", "Winter feed for a hive"), ("p", OPENING)]
    for at, name in enumerate(names):
        text = ANSWER if at == len(names) - 1 else ASIDE.replace("school", f"school of {at + 3} rooms")
        parts += [("h2", name), ("p", text)]
    site: SourceSnapshot = make_site(make_page(1, "feed", parts))
    request = GenerationRequest(TOPIC)
    library = library_of(site.pages, "en")
    brief = replace(build_brief(request, site, library), target_words=target)
    return [section.heading for section in build_outline(request, site, library, brief).sections]


@pytest.mark.parametrize(("target", "kept"), [(900, 5), (60, 3)])
def test_the_section_that_answers_stays_where_others_go(
    make_page: PageMaker, make_site: SiteMaker, target: int, kept: int
) -> None:
    found = headings(
        make_page, make_site, ("The hill", "The river", "The mill", "How much it weighs"), target
    )
    assert len(found) == kept
    assert "How much it weighs" in found


def test_no_step_of_a_procedure_goes(make_page: PageMaker, make_site: SiteMaker) -> None:
    steps = ("1. The hill", "2. The river", "3. The mill", "How much it weighs")
    assert len(headings(make_page, make_site, steps, 60)) == 5
