"""Links into the project: every source is linked, and other pages on the topic up to what was asked. Pure."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar
from urllib.parse import urlsplit

from app.content.artefacts import SourcePage, page_of
from app.content.drafts import Paragraph, SectionDraft, SectionLink, Sentence
from app.content.evidence.sections import is_generic, link_name, page_names
from app.infra.urls import readable
from app.language.languages import language_data
from app.language.stems import topic_stems
from app.language.words import word_count

T = TypeVar("T")

_SHORTEST_ANCHOR: Final = 6
_LONGEST_ANCHOR: Final = 8
UNLINKED: Final = frozenset({"code", "table", "caption", "heading"})
_ARROWS: Final = (">", "›", "»", "→")


@dataclass(frozen=True)
class Linked:
    """Drafts with their links, and how many pages they link."""

    drafts: tuple[SectionDraft, ...]
    pages: int


def link_up(
    drafts: Sequence[SectionDraft],
    pages: Mapping[int, SourcePage],
    wanted: Sequence[int],
    *,
    required: Sequence[int],
    related: Collection[int],
    least: int,
    most: int,
    language: str,
    keyphrase: str = "",
    project: str = "",
) -> Linked:
    """Return the drafts with links to about ``least`` pages and with at most ``most`` links.

    ``wanted`` are pages to link, best first; ``required`` ones are linked even beyond ``least``. A page is
    linked where a sentence names it. Until ``least``, those ``related`` to the topic are linked after the
    section nearest to them; no others fill up. Sources beyond ``most`` are named only. The words of a link
    are not the ``keyphrase`` alone, because that would recommend another page for it: such a page is named
    with its ``project``, and so is one whose name has no subject.
    """
    linked = {each.page_id for draft in drafts for each in links_of(draft)}
    found = list(drafts)
    phrase = topic_stems(keyphrase, language) if keyphrase else frozenset()
    host = readable(next((urlsplit(page.url).netloc for page in pages.values()), "")).removeprefix("www.")
    allowed = most - len(linked)
    for page_id in dict.fromkeys([*required, *wanted]):
        if allowed < 1 or not found:
            break
        if page_id in linked or page_id not in pages:
            continue
        needed = page_id in required or (page_id in related and len(linked) < least)
        changed = _with_link(found, pages[page_id], language, phrase, beside=needed)
        if changed is not None:
            found = changed
            linked.add(page_id)
            allowed -= 1
    bounded = _bounded([_with_project_names(draft, phrase, project, host, language) for draft in found], most)
    linked = {each.page_id for draft in bounded for each in links_of(draft) if each.kind != "named"}
    return Linked(tuple(bounded), len(linked))


def links_of(draft: SectionDraft) -> Iterable[SectionLink]:
    """Return the links of a draft: those of the whole section, then those inside its sentences."""
    yield from draft.links
    yield from (s.link for paragraph in draft.paragraphs for s in paragraph.sentences if s.link)


def _with_project_names(
    draft: SectionDraft, phrase: frozenset[str], project: str, host: str, language: str
) -> SectionDraft:
    """Return the draft with the project's name after page names that are the keyphrase or have no subject."""
    return replace(
        draft,
        links=tuple(
            replace(each, anchor=_in_full(each.anchor, project, host, language))
            if _is_alone(each.anchor, phrase, language)
            or each.anchor.lower() in language_data(language).words.generic_headings
            else each
            for each in draft.links
        ),
    )


def _in_full(name: str, project: str, host: str, language: str) -> str:
    """Return a page's name with the project's, or with the host if the name contains the project's."""
    said = topic_stems(project, language) <= topic_stems(name, language)
    return f"{name} – {host if said else project}"


def _is_alone(name: str, phrase: frozenset[str], language: str) -> bool:
    named = topic_stems(name, language)
    return bool(phrase) and phrase <= named and len(named) <= len(phrase) + (len(phrase) > 1)


def _with_link(
    drafts: Sequence[SectionDraft], page: SourcePage, language: str, phrase: frozenset[str], *, beside: bool
) -> list[SectionDraft] | None:
    """Return the drafts with a link to a page in a sentence naming it, else, ``beside``, after a section."""
    for name in page_names(page):
        if not _fits_in_a_sentence(name, language) or _is_alone(name, phrase, language):
            continue
        changed = first_linked(drafts, _mention(page.page_id, name))
        if changed is not None:
            return changed
    if not beside:
        return None
    name = link_name(page, language)
    # The source line ends a run of sections of one page; a link may not separate them.
    ends = [n for n, draft in enumerate(drafts) if draft.links] or range(len(drafts))
    nearest = max(ends, key=lambda n: (_nearness(drafts[n], name, language), n))
    related = SectionLink(page.page_id, name, "related")
    made = list(drafts)
    made[nearest] = replace(made[nearest], links=(*made[nearest].links, related))
    return made


def _fits_in_a_sentence(name: str, language: str) -> bool:
    sized = len(name) >= _SHORTEST_ANCHOR and word_count(name) <= _LONGEST_ANCHOR
    return sized and not is_generic(name, language)


def first_linked(
    drafts: Sequence[SectionDraft], link_for: Callable[[Paragraph, Sentence], SectionLink | None]
) -> list[SectionDraft] | None:
    """Return the drafts with a link in the first sentence that ``link_for`` returns one for, None without."""
    for d, draft in enumerate(drafts):
        for p, paragraph in enumerate(draft.paragraphs):
            for s, sentence in enumerate(paragraph.sentences):
                link = link_for(paragraph, sentence)
                if link is None:
                    continue
                sentences = _with_item(paragraph.sentences, s, replace(sentence, link=link))
                paragraphs = _with_item(draft.paragraphs, p, replace(paragraph, sentences=sentences))
                return [*drafts[:d], replace(draft, paragraphs=paragraphs), *drafts[d + 1 :]]
    return None


def _with_item(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    return (*items[:place], item, *items[place + 1 :])


def _mention(page_id: int, name: str) -> Callable[[Paragraph, Sentence], SectionLink | None]:
    """Return a function that links the name of a page in sentences of other pages.

    A name of one word has to be written as it is: "customers" is no mention of the page "Customers".
    """
    flags = re.IGNORECASE if word_count(name) > 1 else re.NOFLAG
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", flags)

    def link_for(paragraph: Paragraph, sentence: Sentence) -> SectionLink | None:
        match = None if paragraph.kind in UNLINKED else pattern.search(sentence.text)
        if match is None or sentence.link or sentence.origin == "model" or _is_from(sentence, page_id):
            return None
        if is_step(sentence.text, match.start(), match.end()):
            return None
        return SectionLink(page_id, match.group(), "inline")

    return link_for


def is_step(text: str, start: int, end: int) -> bool:
    """Return whether words of a text are a step through a menu: "Settings > Prices > Discounts"."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    return before.endswith(_ARROWS) or after.startswith(_ARROWS)


def _is_from(sentence: Sentence, page_id: int) -> bool:
    return any(page_of(source) == page_id for source in sentence.source_ids)


def _nearness(draft: SectionDraft, name: str, language: str) -> int:
    text = " ".join([draft.heading, *(s.text for p in draft.paragraphs for s in p.sentences)])
    return len(topic_stems(name, language) & topic_stems(text, language))


def _bounded(drafts: Sequence[SectionDraft], most: int) -> list[SectionDraft]:
    """Return the drafts with ``most`` links: the last sources beyond that are only named."""
    left = most - sum(1 for draft in drafts for each in links_of(draft) if each.kind != "source")
    bounded = []
    for draft in drafts:
        links = []
        for each in draft.links:
            is_source = each.kind == "source"
            links.append(replace(each, kind="named") if is_source and left < 1 else each)
            left -= is_source
        bounded.append(replace(draft, links=tuple(links)))
    return bounded
