"""From a checked draft to sections: links resolved, nothing twice, no more words than a post has."""

from __future__ import annotations

from typing import Any

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.drafts import Paragraph, Sentence
from app.content.plan import PlannedQuestion, PlannedSection, PostPlan
from app.content.writing.article.draft import Draft, Part
from app.content.writing.article.sections import ArticleParts, article_parts
from tests.content.conftest import HIVES, page, site
from tests.support.article_material import material_of, model_says

SUN = "A beehive stands best in the morning sun, with its back to the wind."
PLAN = PostPlan(title="Beehives", sections=(PlannedSection("Choosing"), PlannedSection("Placing")))


def prose(*texts: str, kind: Any = "p", ids: tuple[str, ...] = ("1:b7",)) -> Paragraph:
    return Paragraph(kind, tuple(model_says(text, *ids) for text in texts))


def section(heading: str, *paragraphs: Paragraph, role: Any = "section") -> Part:
    return Part(role, heading, paragraphs)


def made(
    snapshot: SourceSnapshot, *parts: Part, plan: PostPlan = PLAN, refused: str = "", **wanted: Any
) -> ArticleParts:
    def violations(heading: str) -> tuple[str, ...]:
        return ("it is wrong",) if heading == refused else ()

    return article_parts(material_of(snapshot, topic="beehive", **wanted), plan, Draft(parts), violations)


def sentences(found: ArticleParts) -> list[Sentence]:
    return [s for draft in found.sections for p in draft.paragraphs for s in p.sentences]


def test_placeholders_become_links_on_words_of_the_sentence(bees: SourceSnapshot) -> None:
    found = sentences(made(bees, section("Choosing", prose("Read [[page:2|how to care for bees]] first."))))
    assert found[0].text == "Read how to care for bees first."
    assert found[0].link is not None
    assert (found[0].link.page_id, found[0].link.anchor, found[0].link.kind) == (
        2,
        "how to care for bees",
        "inline",
    )


def test_each_page_is_linked_once(bees: SourceSnapshot) -> None:
    said = ("Read [[page:2|how to care]] now.", "See [[page:2|the care]] and [[page:3|the questions]] later.")
    found = sentences(made(bees, section("Choosing", prose(said[0])), section("Placing", prose(said[1]))))
    assert [each.link and each.link.page_id for each in found] == [2, 3]
    assert found[1].text == "See the care and the questions later."


def test_no_more_links_are_set_than_were_asked_for(bees: SourceSnapshot) -> None:
    block = prose("Read [[page:2|how to care]] now.", "See [[page:3|the questions]] later.")
    found = sentences(made(bees, section("Choosing", block), most_links=1))
    assert [each.link is not None for each in found] == [True, False]


def test_a_repeated_sentence_is_removed_from_an_article(bees: SourceSnapshot) -> None:
    found = made(
        bees,
        section("", prose(SUN), role="introduction"),
        section("Choosing", prose("It depends.", f"{SUN[:-1]}!", f"[[page:2|{SUN[:9]}]]{SUN[9:]}")),
        section("Placing", prose("It depends.", "Look at [[page:2|the wind]] too.")),
    )
    assert [each.text for each in sentences(found)] == [
        "It depends.",
        f"{SUN[:-1]}!",
        "It depends.",
        "Look at the wind too.",
    ], "short sentences may come again"


def test_a_section_without_anything_new_is_left_out_with_a_note(bees: SourceSnapshot) -> None:
    found = made(bees, section("Choosing", prose(SUN)), section("Placing", prose(SUN)))
    assert [each.heading for each in found.sections] == ["Choosing"]
    assert found.notes == ("Planned, but not in the article: “Placing”.",)


def test_missing_parts_of_the_plan_have_notes(bees: SourceSnapshot) -> None:
    plan = PostPlan(sections=PLAN.sections, questions=(PlannedQuestion("Why?"), PlannedQuestion("How?")))
    answered = section("How?", prose("So it is."), role="question")
    found = made(bees, section("Choosing", prose(SUN)), answered, plan=plan)
    assert [each.heading for each in found.questions] == ["How?"]
    assert found.notes == (
        "Planned, but not in the article: “Placing”.",
        "Planned, but not in the article: “Why?”.",
    )


def test_a_dropped_question_whose_fact_stands_elsewhere_has_no_note(bees: SourceSnapshot) -> None:
    asked = PlannedQuestion("Does the wind matter to a beehive?", ("1:b7",))
    plan = PostPlan(keyphrase="beehive", sections=PLAN.sections[:1], questions=(asked,))
    assert made(bees, section("Choosing", prose(SUN)), plan=plan).notes == ()
    other = ("Planned, but not in the article: “Does the wind matter to a beehive?”.",)
    assert made(bees, section("Choosing", prose(SUN, ids=("1:b8",))), plan=plan).notes == other
    assert made(bees, section("Choosing", prose("Paint it in spring.")), plan=plan).notes == other


def test_an_unplanned_heading_is_judged_and_its_text_stays(bees: SourceSnapshot) -> None:
    found = made(bees, section("Choosing", prose(SUN)), section("In 2031", prose("So.")), refused="In 2031")
    assert [(each.heading, each.level) for each in found.sections] == [("Choosing", 2), ("", 1)]
    assert "The heading “In 2031” was not used: it is wrong." in found.notes


def test_an_article_ends_at_3000_words(bees: SourceSnapshot) -> None:
    def paragraph(name: str, count: int) -> Paragraph:
        return prose(" ".join([name, *(f"bee{n}" for n in range(count - 1))]))

    found = made(
        bees,
        section("Choosing", paragraph("One", 2000), paragraph("Two", 990), paragraph("Three", 20)),
        section("Placing", paragraph("Four", 20)),
    )
    assert [each.text.split()[0] for each in sentences(found)] == ["One", "Two"]
    assert "The article was cut: a post has 3,000 words at most." in found.notes


def test_a_quote_has_its_speaker_and_a_listing_its_language() -> None:
    quotes = page(1, "hives", HIVES)
    blocks = [
        *quotes.blocks,
        *page(1, "more", (("h2", "Voices"), ("quote", "I sleep well."), ("code", "scale read"))).blocks[1:],
    ]
    known = [
        type(each)(
            f"x{n}",
            each.kind,
            each.text,
            each.heading_path,
            speaker="Anna Kern" if each.kind == "quote" else "",
            language="sh" if each.text == "scale read" else "",
        )
        for n, each in enumerate(blocks)
    ]
    spoken = SourcePage(1, quotes.url, quotes.title, None, False, tuple(known))
    quote_id = next(f"1:{each.id}" for each in known if each.kind == "quote")
    code_id = next(f"1:{each.id}" for each in known if each.language)
    found = made(
        site(spoken),
        section("Choosing", prose("I sleep well.", kind="quote", ids=(quote_id,)),
                prose("scale read", kind="code", ids=(code_id,))),
    )  # fmt: skip
    first, second = found.sections[0].paragraphs
    assert (first.speaker, second.language) == ("Anna Kern", "sh")


def test_a_sub_heading_whose_text_was_used_before_is_left_out(bees: SourceSnapshot) -> None:
    found = made(bees, section("Choosing", prose(SUN), prose("Again", kind="heading"), prose(SUN)))
    assert [each.text for each in sentences(found)] == [SUN]


def test_the_lines_of_a_listing_are_one_text(bees: SourceSnapshot) -> None:
    lines = prose("scale read", "scale send", kind="code", ids=("2:b6",))
    (listing,) = sentences(made(bees, section("Choosing", lines)))
    assert (listing.text, listing.quote, listing.source_ids) == (
        "scale read\nscale send",
        "scale read\nscale send",
        ("2:b6",),
    )


def test_introduction_and_closing_frame_the_sections(bees: SourceSnapshot) -> None:
    found = made(
        bees,
        section("", prose(SUN), role="introduction"),
        section("Choosing", prose("Take a common one.")),
        section("What now", prose("Begin in May."), role="closing"),
    )
    assert [p.sentences[0].text for p in found.opening.paragraphs] == [SUN]
    assert found.opening.closing is not None
    assert (found.opening.closing.heading, found.opening.closing.level) == ("What now", 2)


def test_the_description_is_the_planned_one_else_a_sentence_of_the_text(bees: SourceSnapshot) -> None:
    planned = "How to choose and place a beehive, and what it costs in the first year of all."
    plan = PostPlan(description=planned, sections=PLAN.sections)
    parts = (section("Choosing", prose("Short.", SUN * 3, f"So it is that {SUN}")),)
    kept = made(bees, *parts, plan=plan).opening.description
    assert kept is not None
    assert kept.text == planned
    own = made(bees, *parts).opening.description
    assert own is not None
    assert own.text == f"So it is that {SUN}"
    assert own.source_ids == ("1:b7",)
