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
from tests.support.language_sites import LANGUAGE_SITES, LanguageSite

each_site = pytest.mark.parametrize("site", LANGUAGE_SITES.values(), ids=LANGUAGE_SITES)


def snapshot_of(site: LanguageSite) -> SourceSnapshot:
    """The site as its pages are read."""
    pages = []
    for number in range(len(site.pages)):
        url = f"https://honey.example/{number}"
        read = extract(site.html(number).encode(), url)
        blocks = tuple(Block(b.id, b.kind, b.text, b.heading_path, b.lists) for b in read.blocks)
        pages.append(SourcePage(number, url, read.title, None, False, blocks))
    return SourceSnapshot("Imkerei", "https://honey.example/", {}, site.language, tuple(pages))


def post_of(site: LanguageSite) -> WrittenPost:
    """A post about the site's topic."""
    return write(snapshot_of(site), topic=site.topic, language=site.language, target_words=600)


def checks(made: WrittenPost) -> dict[str, bool]:
    """Which checks the post passes."""
    return {check.code: check.passed for check in made.quality.checks}


@each_site
def test_the_language_of_each_page_is_recognized(site: LanguageSite) -> None:
    found = {extract(site.html(number).encode(), "https://x.example/").language for number in range(3)}
    assert found == {site.language}


@each_site
def test_sentences_are_split_as_they_were_written(site: LanguageSite) -> None:
    for _name, sections in site.pages:
        for _heading, written in sections:
            glue = "" if site.language in ("ja", "zh") else " "
            assert "".join(sentences(glue.join(written))).replace(" ", "") == "".join(written).replace(
                " ", ""
            )
            for found in sentences(glue.join(written)):
                assert ends_like_a_sentence(found)
                assert any(found in sentence for sentence in written)


@each_site
def test_a_post_is_traced_and_quotes_whole_sentences(site: LanguageSite) -> None:
    made = post_of(site)
    assert made.draft_kind == "extractive"
    assert_traced(made, snapshot_of(site))
    whole = {fold(part) for sentence in site.sentences for part in (sentence, *sentences(sentence))}
    quoted = [e for e in made.post.trace if e.origin == "source" and ends_like_a_sentence(e.sentence)]
    asked = {heading for _, sections in site.pages for heading, _ in sections}
    assert len(quoted) >= 6
    assert [e.sentence for e in quoted if fold(e.sentence) not in whole | asked] == []


@each_site
def test_a_post_has_the_fixed_lines_of_its_language_or_none(site: LanguageSite) -> None:
    made = post_of(site)
    lines = [entry.sentence for entry in made.post.trace if entry.origin == "template"]
    table = language_data(site.language).phrases
    text = BeautifulSoup(made.post.html, "lxml").get_text()
    if table is None:
        assert not any(is_template_line(line) for line in lines)
        assert re.search(r"[A-Za-z]{3,}", text.replace("Imkerei", "")) is None
    else:
        assert all(is_template_line(line) for line in lines)
        assert "short excerpts" not in text
    assert detect(text) == site.language


@each_site
def test_counts_lengths_and_checks_fit_the_language(site: LanguageSite) -> None:
    made = post_of(site)
    passed = checks(made)
    assert made.quality.decision != "block", [c for c in made.quality.checks if not c.passed]
    wanted = {"LANGUAGE_MISMATCH", "TRUNCATED", "UNSUPPORTED_CLAIM", "DUPLICATE_SENTENCES", "KEYPHRASE_TITLE"}
    wanted |= {"KEYPHRASE_INTRO", "PARAGRAPH_TOO_LONG", "SECTION_TOO_LONG", "PLACEHOLDER_TEXT"}
    assert [code for code in sorted(wanted) if not passed[code]] == []
    prose = "".join(site.sentences)
    if site.language in ("ja", "zh"):
        assert len(prose) * 0.5 < made.post.word_count < len(prose) * 1.3
    else:
        assert 150 < made.post.word_count < 400
    assert made.post.description
    assert " " not in made.post.tags[0] or site.language not in ("ja", "zh")


@each_site
def test_a_text_in_another_language_is_noticed(site: LanguageSite) -> None:
    made = write(snapshot_of(site), topic=site.topic, language="nl", target_words=600)
    assert made.draft_kind == "extractive"
    assert not checks(made)["LANGUAGE_MISMATCH"]
