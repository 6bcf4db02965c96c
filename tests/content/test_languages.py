"""A post in the language of its site: whole sentences, its own fixed lines or none, sane counts."""

from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.drafts import WrittenPost
from app.language.detection import detect
from app.language.languages import language_data
from app.language.phrases import is_template_line
from app.language.sentences import ends_like_a_sentence, sentences
from app.language.words import fold
from app.pages.extraction.blocks import Block
from app.pages.extraction.extract import extract
from tests.content.conftest import assert_traced, write
from tests.support.tongues import TONGUES, Tongue

each_tongue = pytest.mark.parametrize("tongue", TONGUES.values(), ids=TONGUES)


def site_of(tongue: Tongue) -> SourceSnapshot:
    """The site as its pages are read."""
    pages = []
    for number in range(len(tongue.pages)):
        url = f"https://honey.example/{number}"
        read = extract(tongue.html(number).encode(), url)
        blocks = tuple(Block(b.id, b.kind, b.text, b.heading_path, b.lists) for b in read.blocks)
        pages.append(SourcePage(number, url, read.title, None, False, blocks))
    return SourceSnapshot("Imkerei", "https://honey.example/", {}, tongue.language, tuple(pages))


def post_of(tongue: Tongue) -> WrittenPost:
    """A post about the site's topic."""
    return write(site_of(tongue), topic=tongue.topic, language=tongue.language, target_words=600)


def checks(made: WrittenPost) -> dict[str, bool]:
    """Which checks the post passes."""
    return {check.code: check.passed for check in made.quality.checks}


@each_tongue
def test_the_language_of_each_page_is_told(tongue: Tongue) -> None:
    found = {extract(tongue.html(number).encode(), "https://x.example/").language for number in range(3)}
    assert found == {tongue.language}


@each_tongue
def test_sentences_are_parted_as_they_were_written(tongue: Tongue) -> None:
    for _name, sections in tongue.pages:
        for _heading, told in sections:
            glue = "" if tongue.language in ("ja", "zh") else " "
            assert "".join(sentences(glue.join(told))).replace(" ", "") == "".join(told).replace(" ", "")
            for found in sentences(glue.join(told)):
                assert ends_like_a_sentence(found)
                assert any(found in sentence for sentence in told)


@each_tongue
def test_a_post_is_traced_and_quotes_whole_sentences(tongue: Tongue) -> None:
    made = post_of(tongue)
    assert made.draft_kind == "extractive"
    assert_traced(made, site_of(tongue))
    whole = {fold(part) for sentence in tongue.sentences for part in (sentence, *sentences(sentence))}
    told = [e for e in made.post.trace if e.origin == "source" and ends_like_a_sentence(e.sentence)]
    asked = {heading for _, sections in tongue.pages for heading, _ in sections}
    assert len(told) >= 6
    assert [e.sentence for e in told if fold(e.sentence) not in whole | asked] == []


@each_tongue
def test_a_post_has_the_fixed_lines_of_its_language_or_none(tongue: Tongue) -> None:
    made = post_of(tongue)
    lines = [entry.sentence for entry in made.post.trace if entry.origin == "template"]
    table = language_data(tongue.language).phrases
    text = BeautifulSoup(made.post.html, "lxml").get_text()
    if table is None:
        assert not any(is_template_line(line) for line in lines)
        assert re.search(r"[A-Za-z]{3,}", text.replace("Imkerei", "")) is None
    else:
        assert all(is_template_line(line) for line in lines)
        assert "short excerpts" not in text
    assert detect(text) == tongue.language


@each_tongue
def test_counts_lengths_and_checks_fit_the_language(tongue: Tongue) -> None:
    made = post_of(tongue)
    passed = checks(made)
    assert made.quality.decision != "block", [c for c in made.quality.checks if not c.passed]
    wanted = {"LANGUAGE_MISMATCH", "TRUNCATED", "UNSUPPORTED_CLAIM", "DUPLICATE_SENTENCES", "KEYPHRASE_TITLE"}
    wanted |= {"KEYPHRASE_INTRO", "PARAGRAPH_TOO_LONG", "SECTION_TOO_LONG", "PLACEHOLDER_TEXT"}
    assert [code for code in sorted(wanted) if not passed[code]] == []
    prose = "".join(tongue.sentences)
    if tongue.language in ("ja", "zh"):
        assert len(prose) * 0.5 < made.post.word_count < len(prose) * 1.3
    else:
        assert 150 < made.post.word_count < 400
    assert made.post.description
    assert " " not in made.post.tags[0] or tongue.language not in ("ja", "zh")


@each_tongue
def test_a_text_in_another_language_is_noticed(tongue: Tongue) -> None:
    made = write(site_of(tongue), topic=tongue.topic, language="nl", target_words=600)
    assert made.draft_kind == "extractive"
    assert not checks(made)["LANGUAGE_MISMATCH"]
