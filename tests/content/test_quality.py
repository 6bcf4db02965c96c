"""The quality gate, check by check."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from app.content.artefacts import ExistingPost
from app.content.quality.gate import CHECKS, PostText, SourceText, check_post
from app.content.quality.style import keyphrase_share
from app.content.quality.subject import Subject
from tests.support.judged_posts import BODY, CONTEXT, POST, SENTENCES, outcome, with_text


def test_a_sound_post_is_not_blocked() -> None:
    report = check_post(POST, CONTEXT)
    assert report.decision != "block"
    assert [check.code for check in report.checks if check.severity == "block" and not check.passed] == []
    assert 80 <= report.score <= 100


def test_each_check_has_its_own_code_and_a_failed_one_a_hint() -> None:
    report = check_post(
        replace(POST, title="", slug="Ä", markdown="[here](https://bees.example/gone)"), CONTEXT
    )
    assert len({check.code for check in report.checks}) == len(CHECKS)
    assert all(check.hint and check.where for check in report.checks if not check.passed)


def test_a_failed_check_says_what_is_wrong_and_a_passed_one_the_rule() -> None:
    sound = {check.code: check for check in check_post(POST, CONTEXT).checks}
    broken = replace(POST, title="", slug="Ä", meta_title="x", markdown="[here](https://bees.example/gone)")
    failed = [check for check in check_post(broken, CONTEXT).checks if not check.passed]
    both = [check.code for check in failed if sound[check.code].passed]
    assert {"TITLE_MISSING", "SLUG_INVALID", "META_TITLE_LENGTH", "BROKEN_INTERNAL_LINK"} <= set(both)
    assert all(check.message != sound[check.code].message for check in failed if check.code in both)


@pytest.mark.parametrize(
    ("code", "post", "message"),
    [
        ("CONTENT_TOO_SHORT", replace(POST, markdown="A beehive is a box."),
         "The text has 5 words, under 100."),
        ("META_TITLE_LENGTH", replace(POST, meta_title="Short"),
         "The search title has 5 characters, not 30 to 60."),
        ("INTERNAL_LINKS_FEW", POST, "The text links to 0 pages of the project, not 2 or more."),
        ("KEYPHRASE_TITLE", replace(POST, title="Painting"),
         "The title does not contain the primary keyword “beehive”."),
        ("BANNED_PHRASES", with_text("Let us delve into it."), "The text has 1 worn-out phrase."),
    ],
)  # fmt: skip
def test_the_message_of_a_failed_check_is_about_this_post(code: str, post: PostText, message: str) -> None:
    assert outcome(code, post).message == message


@pytest.mark.parametrize(
    ("code", "post"),
    [
        ("CONTENT_EMPTY", replace(POST, markdown=" \n")),
        ("TITLE_MISSING", replace(POST, title=" ")),
        ("SLUG_INVALID", replace(POST, slug="Übergröße")),
        ("SLUG_INVALID", replace(POST, slug="a" * 81)),
        ("SLUG_INVALID", replace(POST, slug="bees\n")),
        ("DRAFT_KIND_OUTLINE", replace(POST, draft_kind="outline")),
        ("PLACEHOLDER_TEXT", with_text("Lorem ipsum dolor.")),
        ("PLACEHOLDER_TEXT", with_text("Costs [insert price here].")),
        ("PLACEHOLDER_TEXT", with_text("Dear {{ name }}.")),
        ("PLACEHOLDER_TEXT", with_text("[TODO: more]")),
        ("PLACEHOLDER_TEXT", with_text("Read [[page:7|our page]].")),
        ("UNSAFE_MARKUP", with_text("<script>alert()</script>")),
        ("UNSAFE_MARKUP", with_text("[x](javascript:alert())")),
        ("UNSAFE_MARKUP", replace(POST, title="<script>alert(1)</script>")),
        ("UNSAFE_MARKUP", replace(POST, meta_title='<a title=">" onclick="alert(1)">')),
        ("UNSAFE_MARKUP", replace(POST, description='<a href="javascript&colon;alert(1)">')),
        ("BROKEN_INTERNAL_LINK", with_text("[stale](https://bees.example/old)")),
        ("BROKEN_INTERNAL_LINK", with_text("[missing](https://bees.example/none)")),
        ("UNKNOWN_LINK", with_text("[else](https://elsewhere.example/)")),
        ("UNKNOWN_IMAGE", with_text("![A bee](image:1)")),
        ("UNSUPPORTED_CLAIM", with_text("It holds 11 frames.")),
        ("UNSUPPORTED_CLAIM", with_text("He said “bees are always in a great hurry”.")),
        ("UNSUPPORTED_CLAIM", with_text('He said "bees are always in a great hurry".')),
        ("CONTENT_TOO_SHORT", replace(POST, markdown="A beehive is a box.")),
        ("TRUNCATED", with_text("This sentence ends in the")),
        ("TRUNCATED", with_text("```\ncode")),
    ],
)
def test_what_no_reader_may_be_shown_blocks(code: str, post: PostText) -> None:
    report = check_post(post, CONTEXT)
    failed = {check.code for check in report.checks if not check.passed and check.severity == "block"}
    assert code in failed
    assert report.decision == "block"


def test_a_taken_slug_blocks() -> None:
    assert not outcome("SLUG_TAKEN", context=replace(CONTEXT, slug_taken=True)).passed


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ("PLACEHOLDER_TEXT", "Put it on your todo list."),
        ("PLACEHOLDER_TEXT", "```\n{{ template }}\n```"),
        ("UNSAFE_MARKUP", "Write `<script>` at the end.\n\n```\n<script>alert()</script>\n```"),
        ("BROKEN_INTERNAL_LINK", "[hives](https://bees.example/hives#top)"),
        ("UNKNOWN_LINK", "[hives](https://bees.example/hives)"),
        ("UNSUPPORTED_CLAIM", "It holds 10 frames and weighs 60 kg."),
        ("UNSUPPORTED_CLAIM", "He said “bees are never in a hurry at all”."),
        ("UNSUPPORTED_CLAIM", 'He called it "fine" and them "bees are never in a hurry at all".'),
        ("UNSUPPORTED_CLAIM", "Of them, “bees are never in a hurry at all,” he said."),
        ("UNSUPPORTED_CLAIM", '10" of snow lay there for many days.'),
        ("BROKEN_INTERNAL_LINK", "[hives](https://bees.example/hives?utm_source=blog&utm_medium=x#top)"),
        ("LOST_LINK", "[hives](https://bees.example/hives), [below](#section-below)\n\n## Below\n\nHere."),
        ("LOST_LINK", "[C](#section-c), [C++](#section-c-2)\n\n## C\n\nOne.\n\n## C++\n\nTwo."),
        ("LOST_LINK", "![A bee](image:1)"),
        ("TRUNCATED", "Source: [Hives](https://bees.example/hives)"),
        ("TRUNCATED", "More is told at https://bees.example/hives"),
        ("TRUNCATED", "- wood\n- paint"),
        ("TRUNCATED", "| a | b |\n|---|---|\n| c | d |"),
        ("TRUNCATED", "```\nclosed\n```"),
        ("TRUNCATED", "1. First\n\n   ```\n   closed\n   ```"),
    ],
)
def test_what_only_looks_suspicious_passes(code: str, extra: str) -> None:
    assert outcome(code, with_text(extra)).passed


@pytest.mark.parametrize("code", ["UNSUPPORTED_CLAIM", "UNKNOWN_LINK"])
def test_a_persons_own_words_only_warn(code: str) -> None:
    text = with_text("It holds 11 frames, see [else](https://elsewhere.example/).")
    assert outcome(code, text).severity == "block"
    edited = outcome(code, replace(text, edited_by_person=True))
    assert (edited.severity, edited.passed) == ("warn", False)


def test_an_outline_a_person_wrote_out_is_a_post() -> None:
    assert outcome("DRAFT_KIND_OUTLINE", replace(POST, draft_kind="outline", edited_by_person=True)).passed


def test_a_text_between_100_and_300_words_warns() -> None:
    check = outcome("CONTENT_TOO_SHORT", replace(POST, markdown=SENTENCES))
    assert (check.severity, check.passed) == ("warn", False)


@pytest.mark.parametrize(
    ("code", "post"),
    [
        ("META_TITLE_LENGTH", replace(POST, meta_title="Short")),
        ("DESCRIPTION_LENGTH", replace(POST, description="d" * 157)),
        ("KEYPHRASE_TITLE", replace(POST, title="Painting")),
        ("KEYPHRASE_INTRO", replace(POST, markdown="No word of it.\n\n" + BODY)),
        ("KEYPHRASE_DENSITY", replace(POST, primary_keyword="wasp nest")),
        ("HEADING_STRUCTURE", with_text("#### Deep\n\nText here.")),
        ("HEADING_STRUCTURE", with_text("# Top\n\nText here.")),
        ("DUPLICATE_HEADINGS", with_text("## Painting\n\nOnce more.")),
        ("DUPLICATE_SENTENCES", with_text("A beehive needs care.\n\nA beehive needs care.")),
        ("SECTION_TOO_LONG", replace(POST, markdown=SENTENCES + SENTENCES)),
        ("PARAGRAPH_TOO_LONG", replace(POST, markdown=SENTENCES + SENTENCES)),
        ("INTERNAL_LINKS_FEW", POST),
        ("WEAK_ANCHOR", with_text("[click here](https://bees.example/hives)")),
        ("NO_OUTBOUND_LINK", POST),
        ("NO_OUTBOUND_LINK", with_text("![A bee](image:1)")),
        ("IMAGE_ALT_MISSING", with_text("![](https://bees.example/bee.png)")),
        ("IMAGE_ALT_MISSING", with_text("![](image:1)")),
        ("LANGUAGE_MISMATCH", replace(POST, language="de")),
        ("BANNED_PHRASES", with_text("Let us delve into it.")),
        ("SENTENCE_LENGTH", replace(POST, markdown=("word " * 21 + "End. ") * 10)),
    ],
)
def test_minor_faults_warn_and_do_not_block(code: str, post: PostText) -> None:
    check = outcome(code, post)
    assert not check.passed
    assert check.severity in {"warn", "info"}


def test_a_picture_before_the_first_paragraph_takes_nothing_from_it() -> None:
    assert outcome("KEYPHRASE_INTRO", replace(POST, markdown=f"![A bee](image:1)\n\n{POST.markdown}")).passed


def test_a_post_copied_from_one_page_says_so() -> None:
    context = replace(CONTEXT, sources=lambda: [SourceText(1, SENTENCES)])
    check = outcome("VERBATIM_SHARE_HIGH", replace(POST, markdown=SENTENCES, draft_kind="full"), context)
    assert not check.passed
    assert check.message.startswith("The text repeats its source pages: 100% of the words are verbatim")
    assert check_post(replace(POST, markdown=SENTENCES), context).metrics["verbatim_share"] == 1


def test_a_draft_of_excerpts_says_that_it_is_to_be_reworded() -> None:
    context = replace(CONTEXT, sources=lambda: [SourceText(1, SENTENCES)])
    excerpts = replace(POST, markdown=SENTENCES)
    check = outcome("VERBATIM_SHARE_HIGH", excerpts, context)
    assert (check.passed, check.severity) == (False, "warn")
    assert (
        check.message == "This draft quotes your pages (100% of the words are theirs) and is to be reworded."
    )
    edited = outcome("VERBATIM_SHARE_HIGH", replace(excerpts, edited_by_person=True), context)
    assert edited.message.startswith("The text repeats its source pages")


def test_another_post_with_the_same_keyword_is_a_duplicate_topic() -> None:
    context = replace(CONTEXT, other_posts=(ExistingPost(3, "Something else", "beehive"),))
    assert outcome("DUPLICATE_TOPIC", context=context).where == ("Something else",)


def test_changed_sources_are_reported() -> None:
    assert not outcome("SOURCES_CHANGED", context=replace(CONTEXT, sources_changed=True)).passed


def test_a_page_whose_address_is_not_ascii_may_be_linked() -> None:
    url = "https://bees.example/größe/蜂?a=1&b=ü"
    context = replace(CONTEXT, live_page_urls=frozenset({url}), known_page_urls=frozenset({url}))
    assert outcome("BROKEN_INTERNAL_LINK", with_text(f"[bees]({url})"), context).passed


@pytest.mark.parametrize("scrap", ["{{", "[insert ", "<", "`", "<a on", "“a", '!"', "[[page:"])
def test_a_hostile_text_is_judged_in_linear_time(scrap: str) -> None:
    began = time.process_time()
    check_post(replace(POST, markdown=scrap * (40_000 // len(scrap))), CONTEXT)
    assert time.process_time() - began < 4


@pytest.mark.parametrize(
    "sentence",
    ["Dr. Ada Miller agrees.", "Ada Miller said that bees are calm.", "Our founder Ada Miller agrees."],
)
def test_a_person_whom_no_source_names_blocks(sentence: str) -> None:
    assert not outcome("UNSUPPORTED_CLAIM", with_text(sentence)).passed
    named = replace(CONTEXT, given_text="Ada Miller keeps bees.")
    assert outcome("UNSUPPORTED_CLAIM", with_text(sentence), named).passed


def test_a_search_title_of_wide_letters_is_too_long_before_sixty() -> None:
    assert outcome("META_TITLE_LENGTH", replace(POST, meta_title="i" * 55)).passed
    wide = outcome("META_TITLE_LENGTH", replace(POST, meta_title="W" * 55))
    assert not wide.passed
    assert "pixels" in wide.message


def test_a_title_may_speak_of_harmless_tags_and_comparisons() -> None:
    for line in ("Use <b> tags in a beehive", "When a < b in a beehive", "x <y on monday"):
        assert outcome("UNSAFE_MARKUP", replace(POST, title=line, meta_title=line, description=line)).passed


def test_a_source_supports_its_numbers_after_letters() -> None:
    versioned = replace(CONTEXT, sources=lambda: [SourceText(1, "New in v1.5, for models B2,7 and C.")])
    for sentence in ("Release 1.5 is new.", "It is for models B2,7 as well."):
        assert outcome("UNSUPPORTED_CLAIM", with_text(sentence), versioned).passed
    assert outcome("UNSUPPORTED_CLAIM", with_text("Release 1.6 is new."), versioned).where == ("1.6",)


def test_a_source_supports_an_amount_without_its_cents() -> None:
    priced = replace(CONTEXT, sources=lambda: [SourceText(1, "5 hours | £190.00 | £38.50")])
    assert outcome("UNSUPPORTED_CLAIM", with_text("5 hours cost £190."), priced).passed
    assert outcome("UNSUPPORTED_CLAIM", with_text("An hour costs £38."), priced).where == ("38",)


def test_every_repetition_of_a_heading_is_reported() -> None:
    headings = "\n\n".join(f"## {name}\n\nText." for name in ("Wax", "Bees", "wax", "Bees", "Bees", "Honey"))
    assert outcome("DUPLICATE_HEADINGS", with_text(headings)).where == ("wax", "bees", "bees")


@pytest.mark.parametrize(
    "name", ["Ada Miller", "Ada O’Neill", "Jean-Luc Müller-Lüdenscheidt", "Émile McGee", f"Ada {'M' * 61}"]
)
def test_a_speaker_is_found_by_the_whole_name(name: str) -> None:
    assert outcome("UNSUPPORTED_CLAIM", with_text(f"Then {name} said so.")).where[-1:] == (name,)


@pytest.mark.parametrize(
    "sentence", [f"Ada {'M' * 62} said so.", "The iPad Mini said so.", f"{'A' * 20_000} said."]
)
def test_no_speaker_begins_within_a_word_or_is_longer_than_a_name(sentence: str) -> None:
    assert outcome("UNSUPPORTED_CLAIM", with_text(sentence)).passed


@pytest.mark.parametrize("keyword", ["%", "the", ""])
def test_a_keyword_that_says_nothing_has_no_density(keyword: str) -> None:
    assert keyphrase_share(Subject(replace(POST, primary_keyword=keyword), CONTEXT)) == 0.0


@pytest.mark.parametrize(
    ("keyword", "sentence"),
    [
        ("wifi stone walls", "Wi-Fi needs help where stone walls are thick."),
        ("wi-fi stone walls", "Wifi needs help where stone walls are thick."),
        ("e-mail address", "Your email address is enough."),
        ("e-bike-inspektion", "The E-Bike Inspektion is due."),
    ],
)
def test_a_hyphen_inside_a_word_makes_no_difference_to_a_keyword(keyword: str, sentence: str) -> None:
    post = replace(POST, title=sentence, markdown=f"{sentence}\n\n## {sentence}\n", primary_keyword=keyword)
    assert keyphrase_share(Subject(post, CONTEXT)) > 0.1
    assert outcome("KEYPHRASE_TITLE", post).passed
    assert outcome("KEYPHRASE_INTRO", post).passed
    other = replace(post, title="Walls", markdown="Stones of the wife.")
    assert keyphrase_share(Subject(other, CONTEXT)) == 0.0
    assert not outcome("KEYPHRASE_TITLE", other).passed
