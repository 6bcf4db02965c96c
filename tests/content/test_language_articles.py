"""Six languages, each with a digest and an article whose answers were written by hand: no line is foreign."""

from __future__ import annotations

import math
import re
from dataclasses import fields

import pytest
from bs4 import BeautifulSoup

from app.content.drafts import WrittenPost
from app.content.request import GenerationRequest
from app.content.writing.article.writer import Work, write_article
from app.content.writing.llm.questions import NO_CACHE
from app.content.writing.providers.base import Providers
from app.language.detection import detect
from app.language.languages import language_data
from app.language.words import extent
from tests.content.test_languages import post_of, snapshot_of
from tests.support.article_material import ScriptedModel, material_of
from tests.support.language_articles import ARTICLES, nothing_revised, supported
from tests.support.language_sites import LANGUAGE_SITES

LATIN = re.compile(r"[A-Za-z]{2,}")
JUDGED_FROM = 6
"""Words of a line whose language can be told."""


def article_of(language: str) -> WrittenPost:
    site, hand = LANGUAGE_SITES[language], ARTICLES[language]
    request = GenerationRequest(topic=site.topic, language=language, target_words=300)
    snapshot = snapshot_of(site)
    known = material_of(snapshot, topic=site.topic, language=language).index.units
    units = {unit.heading: unit for unit in reversed(known)}
    answers = {
        "plan the article": lambda _: hand.plan(units),
        "write the article": lambda _: hand.draft(units),
        "check sentences": supported,
        "revise sentences": nothing_revised,
    }
    model = ScriptedModel(answers)
    work = Work(lambda _name, _message: None, lambda: False, lambda: math.inf, NO_CACHE)
    written = write_article(request, snapshot, Providers(model, model), work)
    assert isinstance(written, WrittenPost)
    return written


def lines_of(written: WrittenPost) -> list[str]:
    """What a reader sees of a post: in the page, in search results and in structured data."""
    post = written.post
    soup = BeautifulSoup(post.html, "lxml")
    shown = [each.get_text() for each in soup.find_all(["h2", "h3", "p", "li", "td", "th"])]
    asked = [text for entry in post.faq for text in (entry.question, entry.answer)]
    data = [str(each.get(name, "")) for each in post.json_ld for name in ("headline", "description")]
    return [line for line in (post.title, post.meta_title, post.description, *shown, *asked, *data) if line]


def fixed_lines(language: str) -> set[str]:
    """The beginnings of the fixed lines of a language, up to what is filled in."""
    table = language_data(language).phrases
    if table is None:
        return set()
    values = [getattr(table, member.name) for member in fields(table)]
    texts = [text for value in values for text in (value if isinstance(value, tuple) else (value,))]
    return {start for text in texts if len(start := text.partition("{")[0].strip()) > 4}


@pytest.mark.parametrize("language", ARTICLES)
@pytest.mark.parametrize("kind", ["digest", "article"])
def test_no_line_of_a_post_is_in_another_language(language: str, kind: str) -> None:
    written = article_of(language) if kind == "article" else post_of(LANGUAGE_SITES[language])
    assert written.draft_kind == ("full" if kind == "article" else "extractive")
    lines = [line.replace("Imkerei", "") for line in lines_of(written)]
    if language in {"ja", "ar"}:
        assert [line for line in lines if LATIN.search(line)] == []
    else:
        judged = [line for line in lines if extent(line) >= JUDGED_FROM]
        assert len(judged) >= 6
        assert [line for line in judged if detect(line) not in {language, None}] == []
    foreign = {line for other in ARTICLES if other != language for line in fixed_lines(other)}
    assert [
        line for line in lines if any(line.startswith(each) for each in foreign - fixed_lines(language))
    ] == []


@pytest.mark.parametrize("language", ARTICLES)
def test_an_honest_article_loses_no_sentence(language: str) -> None:
    written, hand = article_of(language), ARTICLES[language]
    text = BeautifulSoup(written.post.html, "lxml").get_text(" ")
    said = [*hand.introduction, *(each for _, own in hand.sections for each in own), *hand.question[1]]
    assert [sentence for sentence, _ in said if sentence not in text] == []
    assert [note for note in written.editor_notes if note.startswith(("Removed", "Planned"))] == []
    assert (written.post.title, written.post.description) == (hand.title, hand.description)
    assert [heading for heading, _ in hand.sections if heading not in text] == []
