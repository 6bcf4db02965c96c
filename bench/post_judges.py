"""Checks posts by their HTML alone, against the HTML files of the pages they link to.

Nothing of the engine's own account of where a sentence is from is believed.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag

from app.content.drafts import WrittenPost
from app.infra.urls import InvalidUrl, normalise
from app.language.phrases import is_template_line
from app.language.sentences import sentences
from app.language.words import word_count
from bench.post_sites import Site

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:/]\d+)*")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z]\w+(?: [A-Z]\w+)*")
_QUOTE = re.compile(r"[“„«]([^“”„«»]+)[”“»]")
_FIRST_KEYS = {"BlogPosting": ("headline", "author", "publisher", "inLanguage"), "FAQPage": ("mainEntity",)}


@dataclass(frozen=True)
class Part:
    """The text under one heading."""

    heading: str
    texts: tuple[str, ...]


def parts_of(html: str) -> tuple[Part, ...]:
    """Cut a post at its headings; what comes before the first one has an empty heading."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for element in BeautifulSoup(html, "lxml").find_all(["h2", "h3", "h4", "p", "li", "pre"]):
        if element.name.startswith("h"):
            found.append((element.get_text(), []))
        elif element.find_parent("li") is None:
            found[-1][1].append(element.get_text())
    return tuple(Part(heading, tuple(texts)) for heading, texts in found)


def untraced(site: Site, written: WrittenPost) -> list[str]:
    """Sentences that are no fixed lines and are in no page that the post names as its source."""
    source_text = "".join(
        _letters(site.files[each.url]) for each in written.post.sources if each.url in site.files
    )
    return [
        sentence
        for part in parts_of(written.post.html)
        for text in part.texts
        for sentence in (sentences(text) if not is_template_line(text) else ())
        if not is_template_line(sentence) and squeezed(sentence) not in source_text
    ]


def unsupported(site: Site, written: WrittenPost) -> list[str]:
    """Numbers, names, quotes and links that no linked page contains."""
    soup = BeautifulSoup(written.post.html, "lxml")
    links = [str(link["href"]) for link in soup.find_all("a", href=True)]
    quoted = {url for link in links if link in site.files for url in _linked(link, site.files[link])}
    own = {site.url, *site.files}
    found = [link for link in links if link not in own and _spelled(link) not in quoted]
    source_text = "".join(_letters(site.files[link]) for link in links if link in site.files)
    given = squeezed(f"{site.name} {written.brief.topic} {written.post.title}")
    texts = [each for part in parts_of(written.post.html) for each in (part.heading, *part.texts)]
    text = "\n".join(each for each in texts if not is_template_line(each))
    claims = (*_NUMBER.findall(text), *_NAME.findall(text), *_QUOTE.findall(text))
    found += [
        claim for claim in claims if squeezed(claim) not in source_text and squeezed(claim) not in given
    ]
    return found


def repeated(written: WrittenPost) -> list[str]:
    """Sentences and headings that occur twice; the lines that name a source do not count."""
    seen: set[str] = set()
    found = []
    for part in parts_of(written.post.html):
        body = [s for text in part.texts for s in sentences(text) if word_count(s) > 3]
        for sentence in (part.heading, *body):
            mark = squeezed(sentence).lower()
            if mark and mark in seen and not is_template_line(sentence):
                found.append(sentence)
            seen.add(mark)
    return found


def data_errors(site: Site, written: WrittenPost) -> list[str]:
    """What schema.org and search engines would miss in the structured data, and questions that are not
    shown.
    """
    return [error for data in written.post.json_ld for error in _data_errors(dict(data), site, written)]


def _data_errors(data: dict, site: Site, written: WrittenPost) -> Iterator[str]:
    kind = data.get("@type")
    if data.get("@context") != "https://schema.org" or kind not in _FIRST_KEYS:
        yield f"not a type of schema.org: {kind}"
        return
    yield from (f"{kind} without {key}" for key in _FIRST_KEYS[kind] if not data.get(key))
    json.dumps(data)
    if len(data.get("headline", "")) > 110:
        yield "headline over 110 characters"
    yield from (f"not a page: {url}" for url in data.get("isBasedOn", ()) if url not in site.files)
    shown = squeezed(BeautifulSoup(written.post.html, "lxml").get_text())
    for entry in data.get("mainEntity", ()):
        question, answer = entry.get("name", ""), entry.get("acceptedAnswer", {}).get("text", "")
        if not question or squeezed(question) not in shown:
            yield f"question not shown: {question}"
        if not answer or squeezed(answer) not in shown:
            yield f"answer not shown: {answer[:60]}"


def squeezed(text: str) -> str:
    """Return a text without white space and invisible marks: lines break elsewhere in another layout."""
    return re.sub(r"[\s\u00ad\u200b\u2060\ufeff]+", "", unicodedata.normalize("NFC", text))


@cache
def _linked(url: str, file: Path) -> frozenset[str]:
    """Return the addresses that a page links."""
    soup = BeautifulSoup(file.read_bytes(), "lxml")
    return frozenset(_spelled(urljoin(url, str(a["href"]))) for a in soup.find_all("a", href=True))


def _spelled(link: str) -> str:
    """Return the one spelling of an address, of another than http(s) itself."""
    try:
        return normalise(link)
    except InvalidUrl:
        return link


@cache
def _letters(file: Path) -> str:
    soup = BeautifulSoup(file.read_bytes(), "lxml")
    body = soup.body if isinstance(soup.body, Tag) else soup
    return squeezed(f"{soup.title.get_text() if soup.title else ''} {body.get_text()}")
