"""What the caller asks of the extractive engine: parts, sections, facts, links, and what it must not say."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.drafts import WrittenPost
from app.content.request import CallToAction, Include, RequestedSection
from app.failures import ServiceFailure
from tests.content.conftest import PageMaker, SiteMaker, assert_traced, write

CLOSING = CallToAction("Book a course", "https://shop.example/book#may")

EVERYTHING: Mapping[str, Any] = {
    "topic": "beehive",
    "key_points": ("We have sold 4000 hives since 1987.",),
    "include": Include(True, True, True, True),
    "call_to_action": CLOSING,
    "avoid": ("village",),
    "required_page_ids": (4, 5, 77),
    "fewest_links": 4,
    "tone": "friendly",
    "slug": "my-bees",
}


def check(written: WrittenPost, code: str) -> tuple[bool, str]:
    found = next(each for each in written.quality.checks if each.code == code)
    return found.passed, found.severity


def body(written: WrittenPost) -> str:
    return written.post.markdown


def test_everything_at_once_gives_the_same_traced_post_each_time(school: SourceSnapshot) -> None:
    first, second = write(school, **EVERYTHING), write(school, **EVERYTHING)
    assert json.dumps(first.to_dict()) == json.dumps(second.to_dict())
    assert_traced(first, school)
    assert first.quality.decision != "block"
    assert check(first, "DUPLICATE_SENTENCES") == (True, "warn")


def test_the_callers_facts_are_a_list_of_their_own(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", key_points=("We have sold 4000 hives since 1987.",))
    assert "## Key points\n\n- We have sold 4000 hives since 1987.\n\n## " in body(written)
    (entry,) = (each for each in written.post.trace if "4000" in each.sentence)
    assert (entry.origin, entry.page_id) == ("input", None)
    assert check(written, "UNSUPPORTED_CLAIM") == (True, "block")


def test_a_fact_that_a_page_says_too_is_written_once(bees: SourceSnapshot) -> None:
    said = "A beehive that loses more than 2 kg in a week has to be fed at once."
    assert body(write(bees, topic="beehive", key_points=(said,))).count(said) == 1


def test_a_fact_is_traced_word_for_word(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", key_points=("[[page:1|x]] hums.",))
    assert "[[page:1|x]] hums." in [entry.sentence for entry in written.post.trace]
    assert_traced(written, bees)


def test_a_post_ends_with_the_callers_invitation(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", call_to_action=CLOSING)
    assert body(written).endswith("\n\n[Book a course](https://shop.example/book#may)\n")
    assert check(written, "UNKNOWN_LINK") == (True, "block")
    assert check(written, "TRUNCATED") == (True, "block")


def test_an_invitation_into_the_site_needs_no_page_of_the_project(bees: SourceSnapshot) -> None:
    closing = CallToAction("Sign up", "https://bees.example/sign-up")
    assert check(write(bees, topic="beehive", call_to_action=closing), "BROKEN_INTERNAL_LINK")[0]


def test_an_invitation_cannot_bring_markup(bees: SourceSnapshot) -> None:
    closing = CallToAction("](javascript:x) <b>now</b>", "https://x.example/a)b(<script>")
    written = write(bees, topic="beehive", call_to_action=closing)
    assert check(written, "UNSAFE_MARKUP")[0]
    assert "<b>" not in written.post.html
    assert 'href="https://x.example/a)b(%3Cscript%3E"' in written.post.html


def test_takeaways_are_sentences_of_the_pages_and_are_not_repeated(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", include=Include(key_takeaways=True))
    text = body(written).split("## Key takeaways\n\n")[1].split("\n\n")[0]
    sentences = [line.removeprefix("- ") for line in text.splitlines()]
    assert 2 <= len(sentences) <= 4
    assert "A beehive is the box a colony of honey bees lives in" in text
    for sentence in sentences:
        assert body(written).count(sentence) == 1
    assert {source.used_for[0] for source in written.post.sources} >= {"Key takeaways"}
    assert_traced(written, bees)


def test_takeaways_leave_the_callers_sections_what_fills_them(bees: SourceSnapshot) -> None:
    sections = (RequestedSection("Painting"), RequestedSection("Weighing"))
    written = write(bees, topic="beehive", outline=sections, include=Include(key_takeaways=True))
    assert "## Painting\n\nPaint only the outside" in body(written)
    assert "## Key takeaways\n\n- A beehive is the box" in body(written)
    assert written.brief.gaps == ()


def test_without_enough_sentences_there_are_no_takeaways_and_a_note(
    make_site: SiteMaker, make_page: PageMaker
) -> None:
    parts = [("h1", "Garden")]
    for number in range(3):
        parts += [
            ("h2", f"Place {number}"),
            ("p", f"Our beehive number {number} stands on a dry and sunny place in the old garden."),
        ]
    written = write(
        make_site(make_page(1, "garden", parts)), topic="beehive", include=Include(key_takeaways=True)
    )
    assert "Key takeaways" not in body(written)
    assert any("no key takeaways" in note for note in written.editor_notes)


def test_a_table_of_contents_leads_to_each_section(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", include=Include(table_of_contents=True))
    assert "## In this post\n\n- [" in body(written)
    assert "- [Choosing a beehive](#section-choosing-a-beehive)\n" in body(written)
    assert '<h2 id="section-choosing-a-beehive">' in written.post.html
    assert '<a href="#section-frequently-asked-questions">' in written.post.html
    assert "id=" not in write(bees, topic="beehive").post.html


def test_headings_that_differ_in_signs_alone_have_places_of_their_own(
    make_site: SiteMaker, make_page: PageMaker
) -> None:
    parts = [("h1", "Garden")]
    for place in ("pond", "wall", "gate"):
        said = f"Our beehive at the {place} stands on a dry and sunny spot of the old garden."
        parts += [("h2", f"By the {place}"), ("p", said)]
    site = make_site(make_page(1, "garden", parts))
    sections = (RequestedSection("C", ("pond",)), RequestedSection("C++", ("wall",)))
    written = write(site, topic="beehive", outline=sections, include=Include(table_of_contents=True))
    assert check(written, "LOST_LINK") == (True, "warn")
    places = re.findall(r'<a href="#(section-c[^"]*)">(.*?)</a>', written.post.html)
    headings = re.findall(r'<h2 id="(section-c[^"]*)">(.*?)</h2>', written.post.html)
    assert places == headings
    assert dict(places) == {"section-c": "C", "section-c-2": "C++"}


def test_questions_and_data_are_left_out_when_they_are_not_wanted(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", include=Include(faq=False, json_ld=False))
    assert (written.post.faq, written.post.json_ld) == ((), ())
    assert "How much does a beehive cost?" not in body(written)
    (data,) = write(bees, topic="beehive", include=Include(faq=False)).post.json_ld
    assert data["@type"] == "BlogPosting"
    assert data["author"] == {"@type": "Organization", "name": "Bee School", "url": "https://bees.example/"}


def test_the_callers_sections_are_filled_with_what_the_pages_say(bees: SourceSnapshot) -> None:
    sections = (
        RequestedSection("A good place", ("where to put it in the morning sun",)),
        RequestedSection("Rockets", ("to the moon",)),
        RequestedSection("Weighing", ("every week in autumn", "weighing by satellite")),
    )
    written = write(bees, topic="beehive", outline=sections)
    headings = [line for line in body(written).splitlines() if line.startswith("## ")]
    assert headings == ["## A good place", "## Weighing", "## Frequently asked questions"]
    place = body(written).split("## A good place")[1].split("## Weighing")[0]
    assert "morning sun" in place
    assert "(https://bees.example/hives)" in place
    assert written.brief.gaps == ("Rockets",)
    assert any("“Rockets” was left out" in note for note in written.editor_notes)
    assert any("satellite" in note for note in written.editor_notes)
    assert "Rockets" not in body(written)
    assert_traced(written, bees)


def test_a_single_resolved_section_gets_another_section_beside_it(bees: SourceSnapshot) -> None:
    sections = (RequestedSection("Weighing"), RequestedSection("Rockets"))
    written = write(bees, topic="beehive", outline=sections, include=Include(faq=False))
    headings = [line for line in body(written).splitlines() if line.startswith("## ")]
    assert (headings[0], len(headings), written.draft_kind) == ("## Weighing", 2, "extractive")
    alone = write(bees, topic="beehive", outline=sections[:1], include=Include(faq=False))
    assert body(alone).count("## ") == 1


def test_requested_sections_that_no_page_supports_leave_the_usual_sections(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", outline=(RequestedSection("Rockets"),))
    assert "## Choosing a beehive" in body(written)
    assert written.brief.gaps == ("Rockets",)


def test_words_to_avoid_are_not_quoted_and_found_in_edits(bees: SourceSnapshot) -> None:
    assert "Langstroth" in body(write(bees, topic="beehive"))
    written = write(bees, topic="beehive", avoid=("langstroth", "Morning  Sun", "cost"))
    lowered = body(written).lower()
    assert not any(word in lowered for word in ("langstroth", "morning sun", "cost?"))
    assert "costs between" in lowered or "150" not in lowered
    assert check(written, "BANNED_PHRASES")[0]
    again = write(bees, topic="beehive", avoid=("colony",), key_points=("A colony is loud.",))
    assert check(again, "BANNED_PHRASES") == (False, "warn")


def test_a_list_with_a_word_to_avoid_is_left_out_whole(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", avoid=("playground",))
    assert "The ground stays dry" not in body(written)
    assert "Three things" not in body(written)
    assert "morning sun" in body(written)


def test_options_that_excerpts_cannot_follow_are_warned_of_by_name(bees: SourceSnapshot) -> None:
    written = write(
        bees,
        topic="beehive",
        tone="casual",
        audience="beginners",
        instructions="Be short.",
        post_type="how_to",
    )
    (warning,) = (each for each in written.warnings if each.startswith("OPTION_NOT_APPLIED"))
    assert warning.startswith("OPTION_NOT_APPLIED: tone, audience, instructions, post_type.")
    assert sum("Not applied" in note for note in written.editor_notes) == 4
    assert "Be short." not in body(written)


def test_unused_options_of_the_project_are_warned_of_except_its_audience(
    bees: SourceSnapshot,
) -> None:
    filled = ("audience", "instructions", "tone")
    written = write(
        bees, topic="beehive", tone="casual", audience="all", instructions="Be short.", from_project=filled
    )
    (warning,) = (each for each in written.warnings if each.startswith("OPTION_NOT_APPLIED"))
    assert warning.startswith("OPTION_NOT_APPLIED: tone, instructions.")
    assert sum("Not applied" in note for note in written.editor_notes) == 2
    assert (written.brief.tone, written.brief.audience) == ("casual", "all")
    plain = write(bees, topic="beehive")
    assert not any("OPTION_NOT_APPLIED" in each for each in plain.warnings)


@pytest.mark.parametrize(("minimum", "topic"), [("extractive", "quantum computing"), ("full", "beehive")])
def test_less_than_the_minimum_is_refused_with_what_was_found(
    bees: SourceSnapshot, minimum: str, topic: str
) -> None:
    with pytest.raises(ServiceFailure) as caught:
        write(bees, topic=topic, minimum_kind=minimum)
    refusal = caught.value.failure.to_dict()
    assert refusal["code"] == "INSUFFICIENT_SOURCE_MATERIAL"
    assert topic in refusal["message"]
    assert refusal["details"]["minimum_kind"] == minimum
    assert refusal["details"]["coverage"] == ("covered" if topic == "beehive" else "absent")
    assert len(refusal["remediation_hints"]) == 3


def test_the_minimum_itself_is_enough(bees: SourceSnapshot) -> None:
    assert write(bees, topic="beehive", minimum_kind="extractive").draft_kind == "extractive"
    assert write(bees, topic="quantum computing", minimum_kind="outline").draft_kind == "outline"


def test_an_outline_keeps_what_the_caller_gave(bees: SourceSnapshot) -> None:
    written = write(
        bees, topic="Quantum computing", key_points=("Qubits are cold.",),
        outline=(RequestedSection("Cooling"),),
        call_to_action=CLOSING,
    )  # fmt: skip
    assert "## Key points\n\n- Qubits are cold.\n\n## Sections to write\n\n- Cooling\n" in body(written)
    assert body(written).endswith("[Book a course](https://shop.example/book#may)\n")
    assert_traced(written, bees)


def test_a_slug_is_taken_as_it_is_when_it_is_free(bees: SourceSnapshot, make_site: SiteMaker) -> None:
    assert write(bees, topic="beehive", slug="--x-1").post.slug == "--x-1"
    taken = write(make_site(*bees.pages, taken=frozenset({"hive"})), topic="beehive", slug="hive")
    assert taken.post.slug == "hive-2"
    assert any("was taken in the meantime" in each for each in taken.warnings)


def test_a_language_without_lines_has_lists_without_headings(bees: SourceSnapshot) -> None:
    written = write(bees, **{**EVERYTHING, "language": "fi"})
    assert "Key points" not in body(written)
    assert "- We have sold 4000 hives since 1987." in body(written)
    assert_traced(written, bees)


def test_hostile_input_stays_text(bees: SourceSnapshot) -> None:
    rude = "<script>alert(1)</script> [x](javascript:y) | `z`"
    written = write(
        bees, topic="beehive", key_points=(rude,), outline=(RequestedSection(f"Weighing {rude}", (rude,)),),
        avoid=("(", "[a-z", "\\"),
        include=Include(True, True, True, True), call_to_action=CallToAction(rude, "https://x.example/"),
    )  # fmt: skip
    assert "<script>" not in written.post.html
    assert check(written, "UNSAFE_MARKUP")[0]
