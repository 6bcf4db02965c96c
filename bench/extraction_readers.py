"""Content out of HTML, each way in a process of its own.

``python -m bench.extraction_readers WAY FOLDER PAGES``, FOLDER being one with HTML files, or "made" for pages
of documentation_pages. Prints what it cost, imports and the first page aside, and how many of the headings h1
to h3 in the pages' main parts came out as headings.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

from bs4 import BeautifulSoup

from bench.documentation_pages import SITE, documentation_page
from bench.measuring import Spending

FOLDERS = {
    "borgbackup-doc": "/usr/share/doc/borgbackup/html",
    "debian-handbook": "/usr/share/doc/debian-handbook/html/en-US",
    "python3-doc": "/usr/share/doc/python3/html",
}
SIGNS = " ¶#§"

Taken = tuple[set[str], int]
Reader = Callable[[bytes, str], Taken]


def find_folders() -> dict[str, str]:
    """The sites that are there: the made one, and those whose packages are installed."""
    return {"made": "made", **{name: folder for name, folder in FOLDERS.items() if Path(folder).is_dir()}}


def ours() -> Reader:
    from app.pages.extract import extract

    def read(html: bytes, url: str) -> Taken:
        found = extract(html, url, "text/html")
        return {_folded(text) for text in found.headings}, found.word_count

    return read


def trafilatura() -> Reader:
    """As an XML document, which is its way to keep structure, and told to leave out less."""
    import trafilatura as peer

    def read(html: bytes, url: str) -> Taken:
        xml = peer.extract(html, url=url, output_format="xml", include_tables=True, favor_recall=True) or ""
        soup = BeautifulSoup(xml, "lxml-xml")
        return {_folded(head.get_text(" ")) for head in soup.find_all("head")}, _words(soup.get_text(" "))

    return read


def readability() -> Reader:
    from readability import Document

    def read(html: bytes, url: str) -> Taken:
        document = Document(html.decode("utf-8", "replace"), url=url)
        soup = BeautifulSoup(document.summary(), "lxml")
        found = {_folded(tag.get_text(" ")) for tag in soup.find_all(["h1", "h2", "h3"])}
        return {*found, _folded(document.short_title())}, _words(soup.get_text(" "))

    return read


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
    """The texts of the headings that stand in the page's main part, by its role or element, or its body."""
    soup = BeautifulSoup(html, "lxml")
    main = soup.find(attrs={"role": "main"}) or soup.find(["main", "article"]) or soup.body or soup
    for aside in main.find_all(["nav", "aside"]):
        aside.decompose()
    return {_folded(tag.get_text(" ")) for tag in main.find_all(["h1", "h2", "h3"])} - {""}


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.strip(SIGNS)).lower()


def _words(text: str) -> int:
    return len(re.findall(r"\w+", text))


def main() -> None:
    way, folder, most = sys.argv[1:]
    read, pages = READERS[way](), pages_of(folder, int(most))
    read(*pages[0])
    with Spending() as spent:
        taken = [read(html, url) for html, url in pages]
    wanted = [headings_of(html) for html, _url in pages]
    kept = sum(len(each & found) for each, (found, _) in zip(wanted, taken, strict=True))
    told = {
        "pages": len(pages),
        "headings": sum(map(len, wanted)),
        "kept": kept,
        "words": sum(n for _, n in taken),
    }
    print(json.dumps({**spent.told(), **told}))


if __name__ == "__main__":
    main()
