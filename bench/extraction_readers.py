"""Content out of HTML, each way in a process of its own.

``python -m bench.extraction_readers WAY FOLDER PAGES``, FOLDER being one with HTML files, or "made" for pages
of documentation_pages. Prints what it cost, imports and the first page aside, how many of the headings h1
to h3 in the pages' main parts came out as headings, and the recall and precision of their words.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import mean

from bs4 import BeautifulSoup

from bench.documentation_pages import SITE, documentation_page
from bench.measuring import Spending

FOLDERS = {
    "borgbackup-doc": "/usr/share/doc/borgbackup/html",
    "debian-handbook": "/usr/share/doc/debian-handbook/html/en-US",
    "django-doc": "/usr/share/doc/python-django-doc/html",
    "git-doc": "/usr/share/doc/git-doc",
    "ikiwiki": "/usr/share/doc/ikiwiki/html",
    "nodejs-doc": "/usr/share/doc/nodejs/api",
    "postgresql-doc": "/usr/share/doc/postgresql-doc-15/html",
    "python3-doc": "/usr/share/doc/python3/html",
}
SIGNS = " ¶#§"
AROUND = (
    "script, style, nav, aside[role], form, .headerlink, .navheader, .navfooter, .docnav, .nav, .related,"
    " .toc, .sphinxsidebar, #toc, #hd, #ft, #title, #header, #footer, #column2, .footer, .actions"
)
"""What is no main text in the pages of FOLDERS, by their own markup."""

Taken = tuple[set[str], Counter[str]]
Reader = Callable[[bytes, str], Callable[[], Taken]]
"""Extracts a page's content; its result shows which headings and words came out."""


def find_folders() -> dict[str, str]:
    """The sites that are there: the made one, and those whose packages are installed."""
    return {"made": "made", **{name: folder for name, folder in FOLDERS.items() if Path(folder).is_dir()}}


def ours() -> Reader:
    from app.pages.extraction.extract import extract

    def read(html: bytes, url: str) -> Callable[[], Taken]:
        found = extract(html, url, "text/html")
        return lambda: (
            {_folded(text) for text in found.headings},
            _words(" ".join(each.text for each in found.blocks)),
        )

    return read


def trafilatura() -> Reader:
    """As an XML document, which keeps the structure, with the option to favour recall."""
    import trafilatura as peer

    def read(html: bytes, url: str) -> Callable[[], Taken]:
        xml = peer.extract(html, url=url, output_format="xml", include_tables=True, favor_recall=True) or ""
        return lambda: _in_markup(xml, "lxml-xml", ["head"])

    return read


def readability() -> Reader:
    from readability import Document

    def read(html: bytes, url: str) -> Callable[[], Taken]:
        document = Document(html.decode("utf-8", "replace"), url=url)
        summary, title = document.summary(), document.short_title()

        def taken() -> Taken:
            headings, words = _in_markup(summary, "lxml", ["h1", "h2", "h3"])
            return {*headings, _folded(title)}, words

        return taken

    return read


def _in_markup(text: str, parser: str, names: list[str]) -> Taken:
    soup = BeautifulSoup(text, parser)
    return {_folded(tag.get_text(" ")) for tag in soup.find_all(names)}, _words(soup.get_text(" "))


READERS: dict[str, Callable[[], Reader]] = {
    "ours": ours,
    "trafilatura": trafilatura,
    "readability-lxml": readability,
}


def pages_of(folder: str, most: int) -> list[tuple[bytes, str]]:
    """HTML and address of at most so many pages."""
    if folder == "made":
        made = [documentation_page(number, most) for number in range(most)]
        return [(page.html, page.url) for page in made]
    files = sorted(Path(folder).rglob("*.html"))[:most]
    return [(file.read_bytes(), f"{SITE}{file.relative_to(folder)}") for file in files]


def headings_of(html: bytes) -> set[str]:
    """The texts of the headings in the page's main part, by its role or element, or its body."""
    soup = BeautifulSoup(html, "lxml")
    main = soup.find(attrs={"role": "main"}) or soup.find(["main", "article"]) or soup.body or soup
    for aside in main.select("nav, aside, [role=navigation]"):
        aside.decompose()
    return {_folded(tag.get_text(" ")) for tag in main.find_all(["h1", "h2", "h3"])} - {""}


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.strip(SIGNS)).lower()


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def main_words_of(html: bytes) -> Counter[str]:
    """The words of the page's main part, without what is around its text there."""
    soup = BeautifulSoup(html, "lxml")
    main = (
        soup.find(attrs={"role": "main"}) or soup.find("main") or soup.find(id="content") or soup.body or soup
    )
    for around in main.select(AROUND):
        around.decompose()
    return _words(main.get_text(" "))


def _shares(wanted: Counter[str], found: Counter[str]) -> tuple[float, float]:
    """Recall and precision of the words that came out of a page."""
    both = (wanted & found).total()
    return both / max(1, wanted.total()), both / max(1, found.total())


def main() -> None:
    way, folder, most = sys.argv[1:]
    read, pages = READERS[way](), pages_of(folder, int(most))
    read(*pages[0])
    with Spending() as spent:
        results = [read(html, url) for html, url in pages]
    taken = [result() for result in results]
    wanted = [headings_of(html) for html, _url in pages]
    kept = sum(len(each & found) for each, (found, _) in zip(wanted, taken, strict=True))
    main_words = [main_words_of(html) for html, _url in pages]
    shares = [_shares(each, words) for each, (_, words) in zip(main_words, taken, strict=True)]
    result = {
        "pages": len(pages),
        "headings": sum(map(len, wanted)),
        "kept": kept,
        "words": sum(words.total() for _, words in taken),
        "recall": mean(recall for recall, _ in shares),
        "precision": mean(precision for _, precision in shares),
    }
    print(json.dumps({**spent.as_dict(), **result}))


if __name__ == "__main__":
    main()
