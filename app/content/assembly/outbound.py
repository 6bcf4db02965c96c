"""Links to other sites, as the quoted pages set them on words of a quoted sentence. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.content.artefacts import SourceSnapshot, evidence_id, page_of
from app.content.drafts import SectionDraft, SectionLink, Sentence
from app.language.stems import topic_stems
from app.pages.extraction.blocks import Block

MOST: Final = 4
_OF_A_SECTION: Final = 1
_UNLINKED: Final = frozenset({"code", "table", "heading"})
_WEAK: Final = frozenset(
    {"here", "this", "that", "link", "click here", "read more", "more", "website", "page"}
)

Blocks = Mapping[str, Block]


def link_out(
    drafts: Sequence[SectionDraft], snapshot: SourceSnapshot, keyphrase: str
) -> tuple[SectionDraft, ...]:
    """Return the drafts with up to four links to other sites, one a section and none to one address twice.

    A link has the same words as on the page. Its words are not the keyphrase alone, because that would
    recommend another site for it, and a sentence has one link at most.
    """
    blocks = {
        evidence_id(page.page_id, block.id): block
        for page in snapshot.pages
        for block in page.blocks
        if block.links
    }
    phrase = topic_stems(keyphrase, snapshot.language)
    linked: set[str] = set()
    return tuple(_with_links(draft, blocks, phrase, snapshot.language, linked) for draft in drafts)


def _with_links(
    draft: SectionDraft, blocks: Blocks, phrase: frozenset[str], language: str, linked: set[str]
) -> SectionDraft:
    left = _OF_A_SECTION
    paragraphs = []
    for paragraph in draft.paragraphs:
        sentences: list[Sentence] = []
        for sentence in paragraph.sentences:
            found = None
            if left and len(linked) < MOST and paragraph.kind not in _UNLINKED:
                found = _link_in(sentence, blocks, phrase, language, linked)
            if found is not None:
                left -= 1
                linked.add(found.url)
            sentences.append(replace(sentence, link=found) if found else sentence)
        paragraphs.append(replace(paragraph, sentences=tuple(sentences)))
    return replace(draft, paragraphs=tuple(paragraphs))


def _link_in(
    sentence: Sentence, blocks: Blocks, phrase: frozenset[str], language: str, linked: set[str]
) -> SectionLink | None:
    if sentence.link or sentence.origin != "source":
        return None
    source = sentence.source_ids[0]
    for anchor, url in blocks[source].links if source in blocks else ():
        says = anchor.lower().strip(" .") not in _WEAK and topic_stems(anchor, language) != phrase
        if says and url not in linked and _occurs_in(anchor, sentence.text):
            return SectionLink(page_of(source), anchor, "outbound", url)
    return None


def _occurs_in(anchor: str, text: str) -> bool:
    found = re.search(rf"(?<!\w){re.escape(anchor)}(?!\w)", text)
    return found is not None and found.start() == text.find(anchor)
