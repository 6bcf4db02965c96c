"""When the pages say too little, the extractive engine makes an outline."""

from __future__ import annotations

from bs4 import BeautifulSoup

from app.content.artefacts import SourceSnapshot
from tests.content.conftest import PageMaker, SiteMaker, write


def test_a_topic_the_site_is_silent_about_makes_an_outline(bees: SourceSnapshot) -> None:
    written = write(bees, topic="Quantum computing", keywords=("qubits", "quantum gates"))
    assert written.draft_kind == "outline"
    assert written.post.sources == ()
    assert "What should readers know about “Quantum computing”?" in written.post.markdown
    assert "What is" not in written.post.markdown
    assert "- quantum gates" in written.post.markdown
    assert written.quality.decision == "block"
    assert {entry.origin for entry in written.post.trace} == {"template", "input"}


def test_an_outline_states_nothing_about_the_world(bees: SourceSnapshot) -> None:
    soup = BeautifulSoup(write(bees, topic="Quantum computing").post.html, "lxml")
    statements = [item.get_text() for item in soup.find_all("p")]
    assert len(statements) == 1
    assert statements[0].startswith(
        "This is an outline, not an article: the pages of Bee School hold too little"
    )


def test_an_outline_promises_questions_and_no_excerpts(bees: SourceSnapshot) -> None:
    description = write(bees, topic="Quantum computing").post.description
    assert description.startswith("Outline of a post about Quantum computing")
    assert 70 <= len(description) <= 156


def test_one_quotable_section_is_too_few(make_site: SiteMaker, make_page: PageMaker) -> None:
    parts = [("h1", "Garden")]
    parts += [
        ("p", f"Our beehive number {n} stands on a dry and sunny place in the garden.") for n in range(5)
    ]
    assert write(make_site(make_page(1, "garden", parts)), topic="beehive").draft_kind == "outline"


def test_an_empty_project_still_gets_an_outline(make_site: SiteMaker) -> None:
    written = write(make_site())
    assert written.brief.topic == "Bee School"
    assert written.draft_kind == "outline"
    assert "about “Bee School”?" in written.post.markdown


def test_a_topic_that_asks_is_the_question_of_its_outline(bees: SourceSnapshot) -> None:
    markdown = write(bees, topic="How to undo the last wedding").post.markdown
    assert "- How to undo the last wedding?" in markdown
    assert "What is" not in markdown


def test_the_nouns_of_german_keep_their_capitals_in_an_outline(bees: SourceSnapshot) -> None:
    guide = write(bees, topic="Anleitung für Firewalls", language="de").post.markdown
    assert "über „Anleitung für Firewalls“." in guide
    asked = write(bees, topic="wie richtet man eine Firewall ein", language="de").post.markdown
    assert "über „wie richtet man eine Firewall ein“." in asked
    assert "- Wie richtet man eine Firewall ein?" in asked
    named = write(bees, topic="Vegane Lasagne", keywords=("Vegane Lasagne", "Rezepte"), language="de")
    assert "- Vegane Lasagne\n- Rezepte" in named.post.markdown


def test_a_spanish_question_opens_with_its_mark(bees: SourceSnapshot) -> None:
    assert "- ¿Cómo hacer lasaña?" in write(bees, topic="cómo hacer lasaña", language="es").post.markdown


def test_an_outline_names_its_topic_as_the_gap_though_the_site_says_a_word_of_it(
    bees: SourceSnapshot,
) -> None:
    written = write(bees, topic="beehive insurance")
    assert written.draft_kind == "outline"
    assert written.brief.primary_keyword == "beehive insurance"
    assert written.brief.gaps == ("beehive insurance",)
