"""Links that the quoted pages set on words of a quoted sentence, to other sites and pages. Pure."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from app.content.artefacts import SourceSnapshot, page_of
from app.content.assembly.linking import UNLINKED, first_linked
from app.content.drafts import Paragraph, SectionDraft, SectionLink, Sentence
from app.infra.urls import InvalidUrl, normalise
from app.language.phrases import is_weak_anchor
from app.language.stems import topic_stems

MOST: Final = 4
_FROM_PAGES: Final = frozenset({"source", "model"})


def keep_links(
    drafts: Sequence[SectionDraft], snapshot: SourceSnapshot, keyphrase: str, most: int
) -> tuple[SectionDraft, ...]:
    """Return the drafts with the links that their pages set on quoted words to other pages of the project.

    Each page is linked once, and not where the post quotes it: there it is linked as a source. There are at
    most ``most`` links, with those of the drafts.
    """
    blocks = snapshot.block_by_id
    pages = {_address(page.url): page.page_id for page in snapshot.pages}
    phrase = topic_stems(keyphrase, snapshot.language)
    linked = {each.page_id for draft in drafts for each in draft.links}

    def link_for(paragraph: Paragraph, sentence: Sentence) -> SectionLink | None:
        if paragraph.kind in UNLINKED or sentence.link or sentence.origin != "source":
            return None
        source = sentence.source_ids[0]
        for anchor, url in blocks[source].own_links if source in blocks else ():
            page_id = pages.get(_address(url))
            is_new = page_id is not None and page_id not in {*linked, page_of(source)}
            if is_new and _says(anchor, phrase, snapshot.language) and _occurs_in(anchor, sentence):
                return SectionLink(page_id or 0, anchor, "inline")
        return None

    found = list(drafts)
    while len(linked) < most and (changed := first_linked(found, link_for)) is not None:
        linked |= {s.link.page_id for d in changed for p in d.paragraphs for s in p.sentences if s.link}
        found = changed
    return tuple(found)


def _address(url: str) -> str:
    try:
        return normalise(url).rstrip("/")
    except InvalidUrl:
        return url


def _says(anchor: str, phrase: frozenset[str], language: str) -> bool:
    """Return whether the words of a link say where it leads, and not the keyphrase alone."""
    return not is_weak_anchor(anchor) and topic_stems(anchor, language) != phrase


def link_out(
    drafts: Sequence[SectionDraft],
    snapshot: SourceSnapshot,
    keyphrase: str,
    blocks_of: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> tuple[SectionDraft, ...]:
    """Return the drafts with up to four links to other sites, one a section and none to one address twice.

    A link has the same words as on the page. Its words are not the keyphrase alone, because that would
    recommend another site for it, and a sentence has one link at most. ``blocks_of`` names the blocks of a
    piece of evidence that has several.
    """
    blocks = snapshot.block_by_id
    phrase = topic_stems(keyphrase, snapshot.language)
    linked: set[str] = set()

    def link_for(paragraph: Paragraph, sentence: Sentence) -> SectionLink | None:
        if paragraph.kind in UNLINKED or sentence.link or sentence.origin not in _FROM_PAGES:
            return None
        for source in sentence.source_ids:
            own = (blocks[name] for name in blocks_of.get(source, (source,)) if name in blocks)
            for anchor, url in (link for block in own for link in block.links):
                is_new = url not in linked and _says(anchor, phrase, snapshot.language)
                if is_new and _occurs_in(anchor, sentence):
                    linked.add(url)
                    return SectionLink(page_of(source), anchor, "outbound", url)
        return None

    found: list[SectionDraft] = []
    for draft in drafts:
        changed = first_linked([draft], link_for) if len(linked) < MOST else None
        found += changed or [draft]
    return tuple(found)


def _occurs_in(anchor: str, sentence: Sentence) -> bool:
    """Return whether a sentence has the words, and not first inside another word or in code."""
    text = sentence.text
    found = re.search(rf"(?<![\w-]){re.escape(anchor)}(?![\w-])", text)
    is_in_code = any(anchor in run for run, _ in sentence.code)
    return found is not None and found.start() == text.find(anchor) and not is_in_code
