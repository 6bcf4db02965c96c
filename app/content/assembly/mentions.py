"""Links on words of a sentence that name a page of the project. Pure.

A mention is the whole name of a page, else a run of words with most of its name.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from app.content.artefacts import SourcePage
from app.content.assembly.linking import Linked, first_linked, is_step, links_of
from app.content.drafts import Paragraph, SectionDraft, SectionLink, Sentence
from app.content.evidence.sections import is_generic, page_name
from app.language.languages import language_data
from app.language.stems import stem, topic_stems

_PROSE: Final = frozenset({"p", "ul", "ol"})
_WORD: Final = re.compile(r"[^\W_][\w’'-]*")
_LONGEST: Final = 6
_SHORTEST_LETTERS: Final = 8
_NAMED: Final = 0.6
"""The share of a page's name that a run of words must have."""


def link_mentions(
    drafts: Sequence[SectionDraft],
    pages: Mapping[int, SourcePage],
    wanted: Sequence[int],
    *,
    required: Sequence[int],
    least: int,
    most: int,
    language: str,
    elsewhere: Collection[int] = (),
) -> Linked:
    """Return the drafts with links on mentions until ``least`` pages are linked, the required ones first.

    Each page is linked once, each sentence has at most one link, and there are at most ``most`` links. The
    pages ``elsewhere`` are linked in other parts of the post.
    """
    linked = {link.page_id for draft in drafts for link in links_of(draft)}.union(elsewhere)
    found = list(drafts)
    for page_id in dict.fromkeys([*required, *wanted]):
        enough = len(linked) >= least and page_id not in required
        if page_id in linked or page_id not in pages or enough or len(linked) >= most:
            continue
        changed = _with_mention(found, page_id, page_name(pages[page_id]), language)
        if changed is not None:
            found = changed
            linked.add(page_id)
    return Linked(tuple(found), len(linked))


def _with_mention(
    drafts: Sequence[SectionDraft], page_id: int, name: str, language: str
) -> list[SectionDraft] | None:
    def link_for(paragraph: Paragraph, sentence: Sentence) -> SectionLink | None:
        may_link = paragraph.kind in _PROSE and not sentence.link
        anchor = _mention(sentence, name, language) if may_link else ""
        return SectionLink(page_id, anchor, "inline") if anchor else None

    return first_linked(drafts, link_for)


def _mention(sentence: Sentence, name: str, language: str) -> str:
    """Return the words of a sentence that name a page, "" when none do."""
    whole = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence.text, re.IGNORECASE)
    if whole and is_step(sentence.text, whole.start(), whole.end()):
        return ""
    if whole and len(name) >= _SHORTEST_LETTERS and not is_generic(name, language):
        return whole[0]
    wanted = topic_stems(name, language)
    if len(wanted) < 2:
        return ""
    found = list(_WORD.finditer(sentence.text))
    for length in range(min(_LONGEST, len(found)), 1, -1):
        for start in range(len(found) - length + 1):
            begin, end = found[start].start(), found[start + length - 1].end()
            run = sentence.text[begin:end]
            if _names(run, wanted, language) and not is_step(sentence.text, begin, end):
                return run
    return ""


def _names(run: str, wanted: frozenset[str], language: str) -> bool:
    """Return whether a run of words has most of a page's name, and begins and ends with words of it."""
    if re.search(r"[,;:.!?()|]", run):
        return False
    words = [match[0] for match in _WORD.finditer(run)]
    stems = [stem(word, language) for word in words]
    idle = language_data(language).words.stopwords
    ends = stems[0] in wanted and stems[-1] in wanted
    others = [s for s, word in zip(stems, words, strict=True) if s not in wanted and word.lower() not in idle]
    return ends and not others and len(wanted & set(stems)) >= _NAMED * len(wanted)
