"""Links to other sites in a post: only those that the quoted pages set themselves."""

from __future__ import annotations

from dataclasses import replace

from app.content.artefacts import SourceSnapshot
from app.content.assembly.outbound import link_out
from app.content.drafts import Paragraph, SectionDraft, SectionLink, Sentence
from app.content.quality.gate import check_written_post
from tests.content.conftest import PageMaker, SiteMaker, assert_traced, write

WOOD = "https://wood.org/pine"
HIVES = [
    ("h1", "Beehives"),
    ("p", "A beehive is the box that a colony of honey bees lives in and stores its honey in."),
    ("h2", "Wood for a beehive"),
    ("p", "A beehive is built of pine, which the Pine Society sells in boards of 22 millimetres."),
    ("h2", "Paint for a beehive"),
    ("p", "A beehive is painted on the outside only, and the Pine Society tests such paints every year."),
    ("h2", "Place of a beehive"),
    ("p", "A beehive stands best in the morning sun, with its back to the wind, says the Bee Union."),
]


def linked(
    make_page: PageMaker, make_site: SiteMaker, links: dict[int, tuple[tuple[str, str], ...]]
) -> SourceSnapshot:
    """Return the site whose blocks of these numbers hold these links."""
    page = make_page(1, "hives", HIVES)
    blocks = tuple(replace(block, links=links.get(n, ())) for n, block in enumerate(page.blocks))
    return make_site(replace(page, blocks=blocks))


def test_a_quoted_sentence_keeps_the_link_its_page_sets(make_page: PageMaker, make_site: SiteMaker) -> None:
    snapshot = linked(make_page, make_site, {3: (("Pine Society", WOOD),)})
    written = write(snapshot, topic="beehive")
    assert f"which the [Pine Society]({WOOD}) sells in boards" in written.post.markdown
    assert f'<a href="{WOOD}">Pine Society</a>' in written.post.html
    assert_traced(written, snapshot)
    checks = {check.code: check.passed for check in written.quality.checks}
    assert checks["UNKNOWN_LINK"]
    assert checks["NO_OUTBOUND_LINK"]
    assert checks["UNSUPPORTED_CLAIM"]


def test_one_address_is_linked_once(make_page: PageMaker, make_site: SiteMaker) -> None:
    both = {3: (("Pine Society", WOOD),), 5: (("Pine Society", WOOD),)}
    markdown = write(linked(make_page, make_site, both), topic="beehive").post.markdown
    assert markdown.count(WOOD) == 1


def test_the_keyphrase_and_words_without_meaning_are_no_anchors(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    links = {3: (("beehive", "https://other.org/"),), 5: (("that", "https://that.org/"),)}
    markdown = write(linked(make_page, make_site, links), topic="beehive").post.markdown
    assert "other.org" not in markdown
    assert "that.org" not in markdown


def test_words_inside_another_word_are_not_linked(make_page: PageMaker, make_site: SiteMaker) -> None:
    links = {7: (("Bee", "https://bee.org/"),)}
    markdown = write(linked(make_page, make_site, links), topic="beehive").post.markdown
    assert "bee.org" not in markdown or "[Bee](https://bee.org/) Union" in markdown


def test_a_link_that_no_source_sets_is_still_unknown(make_page: PageMaker, make_site: SiteMaker) -> None:
    snapshot = linked(make_page, make_site, {3: (("Pine Society", WOOD),)})
    written = write(snapshot, topic="beehive")
    forged = replace(written.post, markdown=written.post.markdown.replace(WOOD, "https://evil.org/"))
    report = check_written_post(forged, written.brief, snapshot)
    assert not next(check for check in report.checks if check.code == "UNKNOWN_LINK").passed
    assert report.decision == "block"


def test_a_new_post_may_have_the_figures_that_its_sentences_work_out(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    snapshot = linked(make_page, make_site, {})
    written = write(snapshot, topic="beehive")
    post = replace(written.post, markdown=f"{written.post.markdown}\n\nThat makes 98765 in all.\n")
    traced = replace(post, trace=(*post.trace, replace(post.trace[-1], worked_out=("98765",))))
    for each, passes in ((post, False), (traced, True)):
        report = check_written_post(each, written.brief, snapshot)
        assert next(check for check in report.checks if check.code == "UNSUPPORTED_CLAIM").passed is passes


def test_an_address_that_could_end_a_link_does_not(make_page: PageMaker, make_site: SiteMaker) -> None:
    url = "https://wood.org/pine_(tree)?a=1&b=2"
    written = write(linked(make_page, make_site, {3: (("Pine Society", url),)}), topic="beehive")
    assert 'href="https://wood.org/pine_(tree)?a=1&amp;b=2"' in written.post.html
    assert next(check for check in written.quality.checks if check.code == "UNKNOWN_LINK").passed


def test_an_article_links_what_a_page_of_its_evidence_links(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    snapshot = linked(make_page, make_site, {3: (("Pine Society", WOOD),)})
    own, other = (f"1:{block.id}" for block in snapshot.pages[0].blocks[2:4])
    said = (
        Sentence("Pine boards are sold by the Pine Society.", (own,), "model"),
        Sentence("The Pine Society sells the boards.", ("1:b99",), "model"),
    )
    draft = SectionDraft("s1", "Wood", (), (Paragraph("p", said),), ())
    (made,) = link_out([draft], snapshot, "beehive", {own: (own, other)})
    first, second = made.paragraphs[0].sentences
    assert first.link == SectionLink(1, "Pine Society", "outbound", WOOD)
    assert second.link is None


def test_no_word_of_a_command_is_linked(make_page: PageMaker, make_site: SiteMaker) -> None:
    snapshot = linked(make_page, make_site, {3: (("boards", WOOD),)})
    own = f"1:{snapshot.pages[0].blocks[3].id}"
    command = Sentence("Type saw boards now.", (own,), "model", code=(("saw boards", 0),))
    part = Sentence("Pine-boards are sold in the village.", (own,), "model")
    draft = SectionDraft("s1", "Wood", (), (Paragraph("p", (command, part)),), ())
    (made,) = link_out([draft], snapshot, "beehive")
    assert [sentence.link for sentence in made.paragraphs[0].sentences] == [None, None]
