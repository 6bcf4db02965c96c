"""What reads text that somebody sends or serves: each with the longest text that it gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.posts.comparing import compare_html, compare_markdown
from app.content.quality.gate import check_post
from app.content.quality.subject import PostText, QualityContext, SourceText
from app.content.rendering.html import linked_headings, render_html, unsafe_html, unsafe_markup
from app.content.rendering.html_blocks import blocks_of_html
from app.content.rendering.images import html_with_addresses, image_ids, no_address, with_addresses
from app.content.rendering.kept_images import with_images_of
from app.content.rendering.marking import Said, mark_sentences
from app.content.rendering.replacing import contains, replaced
from app.content.rendering.sections import sections_of
from app.content.request import GenerationRequest
from app.content.writing.digest.engine import write_extractive
from app.infra.urls import MAX_URL, InvalidUrl, normalise
from app.keywords.texts import fold_keyword, problem_of
from app.language.detection import detect
from app.language.languages import languages
from app.language.number_words import number_words
from app.language.sentences import sentences
from app.language.stems import content_stems
from app.pages.crawling.robots import MAX_BYTES, Robots
from app.pages.extraction.blocks import MAX_TEXT_BYTES, unnumbered
from app.pages.extraction.extract import Extracted, extract, from_text
from app.pages.extraction.found import Found
from app.pages.extraction.sections import Sections
from app.pages.sitemaps.read import read_sitemap
from app.pages.sitemaps.report import Report
from app.prices import parse_prices
from app.publishing.targets.git.markdown import markdown_for
from app.spreadsheets.tables import UnreadableFile, tables_of

_POST: Final = 500_000
_PAGE: Final = 1_000_000
_HOST: Final = "https://bees.example/"
_SENTENCE: Final = "The hive stands in the sun."


@dataclass(frozen=True)
class Reader:
    """A function of a text, and the most characters that somebody can make it read."""

    name: str
    most: int
    read: Callable[[str], object]


def _checks(text: str) -> None:
    post = PostText("Hives", "Hives", "hives", "About hives.", text, ("hive",), "hive", "en", "full")
    context = QualityContext("bees.example", sources=lambda: [SourceText(1, _SENTENCE)])
    check_post(post, context)
    check_post(replace(post, markdown=_SENTENCE), replace(context, sources=lambda: [SourceText(1, text)]))


def _marks(text: str) -> None:
    html = render_html(text)
    mark_sentences(html, [Said(_SENTENCE), *map(Said, sentences(text)[:200])], others=True)


def _changed(text: str) -> str:
    half = len(text) // 2
    return f"New. {text[:half]} changed {text[half:]}"


def _pictures(text: str) -> None:
    image_ids(text)
    with_addresses(text, no_address)
    html_with_addresses(text, no_address)
    with_images_of(text, f"{text}\n")
    with_images_of(text, _SENTENCE)


def _sections(text: str) -> None:
    sections_of(text)
    linked_headings(text)
    replaced(text, _SENTENCE, "It stands.")
    contains(text, _SENTENCE)


def _html(page: str) -> Extracted:
    return extract(page.encode("utf-8", "replace"), _HOST, "text/html; charset=utf-8")


def _head(text: str) -> None:
    _html(
        f'<title>{text}</title><meta name="description" content="{text}"><link rel="canonical" href="{text}">'
    )


def _shop(text: str) -> None:
    _html(f"<main><form action=/cart>{_SENTENCE}</form>{text}")


def _shop_headings(text: str) -> None:
    first = Found(unnumbered("p", _SENTENCE))
    headings = (Found(unnumbered("heading", word), 1 + len(word) % 6) for word in text.split())
    list(Sections(in_shop=True, is_article=False).pieces([first, *headings]))


def _digest(text: str) -> None:
    found = from_text(f"{_SENTENCE}\n\n{text}")
    blocks = (*found.blocks, *_html(f"<main><h1>Hives</h1><p>{_SENTENCE}</p>{text}</main>").blocks)
    page = SourcePage(1, f"{_HOST}hives", "Hives", None, False, blocks)
    snapshot = SourceSnapshot("Bees", _HOST, {}, "en", (page,))
    write_extractive(GenerationRequest(topic="where a hive stands"), snapshot, lambda *_: None)


def _sitemap(text: str) -> None:
    def opened(_url: str) -> Iterator[bytes]:
        data = text.encode("utf-8", "replace")
        return (data[at : at + 65536] for at in range(0, len(data), 65536))

    for _ in read_sitemap(opened, f"{_HOST}sitemap.xml", Report()):
        pass


def _urlset(text: str) -> None:
    _sitemap(
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{text}</loc></url></urlset>'
    )


def _robots(text: str) -> None:
    rules = Robots(f"User-agent: *\n{text}", "bot")
    rules.allows(_HOST + "a" * 200 + text[:500])
    rules.sitemaps(_HOST)


def _table(text: str) -> None:
    with suppress(UnreadableFile):
        tables_of("words.csv", text.encode("utf-8", "replace"))


def _address(text: str) -> None:
    for url in (text, _HOST + text, f"https://{text}/", f"https://a.example/?{text}"):
        with suppress(InvalidUrl):
            normalise(url)


def _prices(text: str) -> None:
    with suppress(ValueError):
        parse_prices(text)


def _words(text: str) -> None:
    for language in languages():
        list(number_words(text, language.code))
        content_stems(text, language.code)


READERS: Final = (
    Reader("a post as HTML", _POST, lambda text: unsafe_html(render_html(text))),
    Reader("markup of a post", _POST, unsafe_markup),
    Reader("pictures of a post", _POST, _pictures),
    Reader("sections of a post", _POST, _sections),
    Reader("checks of a post", _POST, _checks),
    Reader("marks in a post", _POST, _marks),
    Reader("two versions", _POST, lambda text: compare_markdown(text, _changed(text))),
    Reader("two posts of a site", _POST, lambda text: compare_html(text, _changed(text))),
    Reader("a post from a site", _POST, blocks_of_html),
    Reader("a post for Hugo", _POST, lambda text: markdown_for("hugo", text)),
    Reader("a post for Jekyll", _POST, lambda text: markdown_for("jekyll", text)),
    Reader("a page", _PAGE, lambda text: _html(f"<html><body><main>{text}")),
    Reader("a page of a shop", _PAGE, _shop),
    Reader("headings of a shop", _PAGE, _shop_headings),
    Reader("a page without a body", _PAGE, _html),
    Reader("the head of a page", _PAGE, _head),
    Reader("styles of a page", _PAGE, lambda text: _html(f"<style>{text}</style><p class=a>{_SENTENCE}")),
    Reader("text of a page", _POST, lambda text: from_text(text)),
    Reader("a digest of a page", MAX_TEXT_BYTES, _digest),
    Reader("a sitemap", _PAGE, _sitemap),
    Reader("addresses of a sitemap", _PAGE, _urlset),
    Reader("robots.txt", MAX_BYTES, _robots),
    Reader("a table", _PAGE, _table),
    Reader("an address", MAX_URL, _address),
    Reader("a language", MAX_TEXT_BYTES, lambda text: detect(text)),
    Reader("sentences", MAX_TEXT_BYTES, sentences),
    Reader("words of all languages", MAX_TEXT_BYTES // 32, _words),
    Reader("a keyword", _PAGE, lambda text: problem_of(fold_keyword(text))),
    Reader("prices of models", 10_000, _prices),
)  # fmt: skip
"""Everything that reads text from outside, but for what takes a few hundred characters."""
