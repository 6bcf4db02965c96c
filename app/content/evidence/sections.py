"""Pages cut into sections: the blocks under one heading, without boilerplate."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from app.content.artefacts import SourcePage, evidence_id
from app.content.evidence.authors import author_of
from app.content.evidence.cards_and_tables import without_false_cards
from app.content.evidence.furniture import bylines_of, is_biography, is_furniture, repeated_texts
from app.content.rendering.markdown import looks_active
from app.language.languages import language_data, merged
from app.language.schema import Headings
from app.language.stems import stem
from app.language.words import QUESTION_MARKS, alternatives, extent, fold, words
from app.pages.extraction.blocks import Block
from app.pages.vocabulary import own_title

CARD: Final = "c"
"""How the group of a price card's blocks begins."""

_LEAST_TITLE: Final = 2
_MOST_TITLE: Final = 9
_LANGUAGE_FOLDER: Final = 2
_HEADING_NOISE: Final = " ¶#§:"
_MANUAL_PAGE: Final = re.compile(r"^([\w.+:-]+)\(\d\w*\)(?: manual page)?$", re.IGNORECASE)
_UNFIT: Final = re.compile(r"(?:version\s+|v)?\d+(?:\.\d+)+|\d{4}-\d{2}-\d{2}|-", re.IGNORECASE)
_CODE: Final = re.compile(r"\w\(.*\)|[\w\]]\s?=\s?[\w\[{]|::|--\w|^[.$@_]|[{};<>]|\w_\w")
_DATED: Final = re.compile(
    r"\bchange-?log|\bchanges\b|\bwhat[’'s]*[- ]new\b|\bwhatsnew\b|\breleases?[- ]?(?:notes|history|log)\b"
    r"|\bupgrading\b|/news\b|/releases?/|\bdeprecat"
)


@cache
def _names() -> Headings:
    """Return the words of headings of all languages together."""
    return merged(lambda language: language.headings)


@cache
def _heading_number() -> re.Pattern[str]:
    parts = alternatives(_names().numbered)
    return re.compile(
        rf"^(?:(?:{parts}) (?:\d+|[A-Z]|[IVXLC]+)(?:\.\d+)*(?:[.:]| [–—-]) "
        r"|(?:\d+\.)+\d* (?!(?:[–—-] )?\(?\d)|\d+\) |[A-Z](?:\.\d+)+\.? )",
        re.IGNORECASE,
    )


@dataclass(frozen=True)
class PageSection:
    """A heading of a page and the blocks directly under it; ``path`` ends with the section's own heading.

    ``page_name`` is what a reader would call the page, ``position`` counts the page's sections from 0,
    ``author`` is the one person who wrote the page.
    """

    page: SourcePage
    page_name: str
    path: tuple[str, ...]
    blocks: tuple[Block, ...]
    position: int
    author: str = ""

    @property
    def heading(self) -> str:
        """The section's own heading, or an empty string above the page's first heading."""
        return self.path[-1] if self.path else ""

    @property
    def below_name(self) -> str:
        """The headings above it and its own as one text, without the name of the page."""
        return " ".join(each for each in self.path if each != self.page_name)

    def id_of(self, block: Block) -> str:
        """Return the id of a block as evidence."""
        return evidence_id(self.page.page_id, block.id)


def clean_heading(text: str) -> str:
    """Return a heading without permalink signs, numbering and a closing colon.

    "Chapter 8. Submodules" is "Submodules", and the manual page "git-log(1)" is "git-log". A version before
    its date stays, and a step that goes on in a small letter: "Step 2: line or Wi-Fi?".
    """
    heading = fold(text).rstrip(_HEADING_NOISE)
    if manual := _MANUAL_PAGE.match(heading):
        return manual[1]
    numbered = _heading_number().match(heading)
    bare = heading[numbered.end() :] if numbered else heading
    return heading if heading[:1].isalpha() and bare[:1].islower() else bare


def page_name(page: SourcePage) -> str:
    """Return what a reader would call the page: its one main heading, else its title without the site's name.

    Of several headings on the first level none is the page's own. Neither is one right above a heading that
    repeats the title: that names the site on each of its pages.
    """
    usable = (b for b in page.blocks if b.kind == "heading" and not looks_active(b.text))
    headings = [(block, name) for block in usable if (name := clean_heading(block.text))]
    main = [name for block, name in headings if not block.heading_path]
    title = "" if looks_active(page.title or "") else fold(page.title or "")
    named = clean_heading(own_title(title)) or title
    is_banner = len(headings) > 1 and headings[0][1] != named == headings[1][1]
    if headings and (len(main) == 1 or not named) and not is_banner:
        return headings[0][1]
    return named or page.url


def page_names(page: SourcePage) -> tuple[str, ...]:
    """Return the names of a page: its main heading, and its title without the site's name."""
    title = "" if looks_active(page.title or "") else clean_heading(own_title(fold(page.title or "")))
    return tuple(dict.fromkeys(name for name in (page_name(page), title) if name))


def link_name(page: SourcePage, language: str) -> str:
    """Return the anchor for a link to a page: its title, which says more than a slogan, or its name."""
    name, *titles = page_names(page)
    return next((each for each in titles if _says_enough(each, language)), name)


def _says_enough(title: str, language: str) -> bool:
    return _LEAST_TITLE <= len(words(title)) <= _MOST_TITLE and not is_generic(title, language)


def is_generic(heading: str, language: str) -> bool:
    """Return whether a heading names no subject: "Overview", a release number, a command's option, code."""
    unfit = _UNFIT.match(heading) or _CODE.search(heading) or looks_active(heading)
    return (
        heading.lower() in language_data(language).words.generic_headings or bool(unfit) or not words(heading)
    )


def is_imprint(heading: str) -> bool:
    """Return whether a section is about the makers of the text, and so nothing to quote."""
    return heading.lower() in _names().imprint


def names_the_site(name: str, own_stems: Collection[str], language: str) -> bool:
    """Return whether a page's name says no more than what site this is: "Overview", "Borg user manual".

    ``own_stems`` are those of the project's name.
    """
    own = [word for word in words(name) if stem(word, language) not in own_stems]
    return is_generic(name, language) or is_generic(" ".join(own), language)


def is_service_page(page: SourcePage) -> bool:
    """Return whether a site has a page for its own business: terms, contact, careers.

    Such a page is right below the home page, perhaps in the folder of a language, or has such a name.
    """
    *folders, last = urlsplit(page.url).path.strip("/").split("/")
    at_the_top = not folders or (len(folders) == 1 and len(folders[0]) == _LANGUAGE_FOLDER)
    slug = last.rpartition(".")[0] or last
    named = {name.lower() for name in page_names(page)}
    if at_the_top:
        named.add(slug.lower().replace("-", " ").replace("_", " "))
    return not named.isdisjoint(_names().service)


def is_story(page: SourcePage) -> bool:
    """Return whether a page describes what one customer did: its folder or a heading in it says so."""
    folders = (folder.lower().replace("-", " ") for folder in urlsplit(page.url).path.split("/"))
    headings = (clean_heading(block.text).lower() for block in page.blocks if block.kind == "heading")
    return not _names().stories.isdisjoint((*folders, *headings))


def is_dated(page: SourcePage, name: str) -> bool:
    """Return whether a page of this name lists news, changes or releases, which are true only for a time."""
    return bool(_DATED.search(f"{name} {page.url}".lower()))


def is_question(heading: str, language: str) -> bool:
    """Return whether a heading is a question; in a language without a table, by its mark alone."""
    if not heading.rstrip().endswith(QUESTION_MARKS) or looks_active(heading):
        return False
    starters = language_data(language).words.question_words
    opening = heading.lower().lstrip("¿ ")
    return extent(heading) > 2 and (not starters or opening.startswith(starters) or "," in opening)


def is_link_list(blocks: Sequence[Block]) -> bool:
    """Return whether list items are a menu: three or more, none of them longer than four words."""
    return len(blocks) > 2 and all(extent(block.text) <= 4 for block in blocks)


def sections_of(pages: Sequence[SourcePage]) -> tuple[PageSection, ...]:
    """Return the sections of all pages in page and reading order, without blocks repeated across pages."""
    repeated = repeated_texts(pages)
    return tuple(section for page in pages for section in _page_sections(page, repeated))


def _page_sections(page: SourcePage, repeated: frozenset[str]) -> list[PageSection]:
    found: list[PageSection] = []
    name, author, bylines = page_name(page), author_of(page), bylines_of(page)
    path: tuple[str, ...] = ()
    gathered: list[Block] = []

    def close() -> None:
        if gathered:
            found.append(PageSection(page, name, path, tuple(gathered), len(found), author))

    for block in without_false_cards(page.blocks):
        # The name of a plan is a part of its price card, and the cards of one page belong together.
        if block.kind != "heading" or block.group.startswith(CARD):
            is_figure_caption = block.kind == "caption" and not block.group
            is_aside = is_figure_caption or is_furniture(block, repeated) or is_biography(block, bylines)
            if fold(block.text) and not is_aside:
                gathered.append(block)
            continue
        close()
        path, gathered = _own_path(block), []
    close()
    return found


def _own_path(block: Block) -> tuple[str, ...]:
    path = tuple(clean_heading(heading) for heading in block.heading_path)
    own = clean_heading(block.text)
    return path if path and path[-1] == own else (*path, own)
