"""Sites to write posts about: a folder of HTML files read as the service reads pages, and topics for it.

A site is described in bench/sites/NAME.txt by lines of ``key: value``: ``name`` and ``url`` of the project,
``folder`` of its files, ``pages`` (globs, default all), ``language`` (default en), ``licence``, any number of
``topic`` and ``absent``.
A folder that is not described gets the topics that the service itself would choose.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from app.content.artefacts import ExistingPost, SourcePage, SourceSnapshot
from app.content.planning.open_topics import open_topic
from app.content.retrieval.passages import library_of
from app.language.tags import language_code
from app.pages.extraction.extract import extract
from devtools.local import ROOT

SITES = ROOT / "bench" / "sites"
MOST_PAGES = 300
CHOSEN_TOPICS = 10


@dataclass(frozen=True)
class Site:
    """A documentation or marketing site on disk; ``absent`` are topics it says nothing about."""

    key: str
    name: str
    url: str
    folder: Path
    globs: tuple[str, ...] = ("**/*.html",)
    licence: str = ""
    language: str = "en"
    topics: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    @cached_property
    def files(self) -> dict[str, Path]:
        """The HTML files by their address, at most 300."""
        found = dict.fromkeys(file for glob in self.globs for file in sorted(self.folder.glob(glob)))
        return {
            self.url + file.relative_to(self.folder).as_posix(): file for file in list(found)[:MOST_PAGES]
        }

    @cached_property
    def snapshot(self) -> SourceSnapshot:
        """The site's pages as a generation would find them."""
        pages = (
            _page(number, url, file, self.language)
            for number, (url, file) in enumerate(self.files.items(), 1)
        )
        return SourceSnapshot(
            self.name, self.url, {}, self.language, tuple(page for page in pages if page.blocks)
        )

    def chosen_topics(self) -> tuple[str, ...]:
        """The topics that posts without a topic would be about, one after the other."""
        snapshot, library = self.snapshot, library_of(self.snapshot.pages, self.language)
        found: list[str] = []
        while len(found) < CHOSEN_TOPICS and (topic := open_topic(snapshot, library)):
            found.append(topic)
            posts = tuple(ExistingPost(number, each, None) for number, each in enumerate(found))
            snapshot = replace(snapshot, existing_posts=posts)
            if found.count(topic) > 1:
                break
        return tuple(dict.fromkeys(found))


def site_named(word: str) -> Site:
    """Return the site of ``NAME``, of ``NAME=FOLDER`` when its files are elsewhere, or over a folder's
    path.
    """
    name, _, elsewhere = word.partition("=")
    described = SITES / f"{name}.txt"
    if described.is_file():
        site = _described(name, described.read_text())
        return replace(site, folder=Path(elsewhere)) if elsewhere else site
    folder = Path(word).resolve()
    site = Site(folder.name, folder.name, f"https://{folder.name}.example/", folder)
    return replace(site, topics=site.chosen_topics())


def _described(key: str, text: str) -> Site:
    members: dict[str, list[str]] = defaultdict(list)
    for line in text.splitlines():
        member, _, value = line.partition(": ")
        members[member].append(value.strip())
    return Site(
        key=key,
        name=members["name"][0],
        url=members["url"][0],
        folder=ROOT / members["folder"][0],
        globs=tuple(" ".join(members["pages"]).split()) or ("**/*.html",),
        licence=" ".join(members["licence"]),
        language=" ".join(members["language"]) or "en",
        topics=tuple(members["topic"]),
        absent=tuple(members["absent"]),
    )


def _page(number: int, url: str, file: Path, language: str) -> SourcePage:
    content = extract(file.read_bytes(), url, "text/html")
    spoken = language_code(content.language or language) == language_code(language)
    kept = content.blocks if spoken and not content.noindex else ()
    return SourcePage(number, url, content.title, content.description, False, kept)
