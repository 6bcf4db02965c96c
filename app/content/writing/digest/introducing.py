"""The sentence early in a digest that says who or what its company or product is. Pure.

The quoted pages take that as known; a reader who comes from a search does not know it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from app.content.artefacts import evidence_id
from app.content.drafts import INTRODUCTION, Paragraph, SectionDraft, Sentence
from app.content.evidence.sections import PageSection, is_generic
from app.content.retrieval.page_stems import is_home
from app.content.retrieval.passages import Library
from app.content.retrieval.quotable import may_open
from app.language.references import announces_more, depends_on_previous
from app.language.sentences import sentences
from app.language.stems import stem
from app.language.words import is_unspaced, word_count, words

_LEAD: Final = 1
_LENGTH: Final = (5, 35)


def introduced(drafts: Sequence[SectionDraft], library: Library, project: str) -> tuple[SectionDraft, ...]:
    """Return the drafts with what the home page says of the ``project``, early in the first section.

    Only a post that names the project needs it, and one that opens with such a sentence has it. Who "we" are
    is seen on every page of the site.
    """
    names = _names(project, library.language)
    if not drafts or not names or not _names_it(drafts, names):
        return tuple(drafts)
    homes = [each for each in library.sections if _is_of_home(each, library)]
    sentence = next((said for home in homes for said in _saying(home, names, library.language)), None)
    if sentence is None or _is_said(sentence, drafts, names):
        return tuple(drafts)
    return _inserted(sentence, drafts, library.language)


def _inserted(sentence: Sentence, drafts: Sequence[SectionDraft], language: str) -> tuple[SectionDraft, ...]:
    """Return the drafts with a sentence before the first one, or between the paragraphs of an opening."""
    first, *rest = drafts
    added = SectionDraft(INTRODUCTION, "", (), (Paragraph("p", (sentence,)),), (), _LEAD)
    at = _place(first.paragraphs, language) if first.level == _LEAD else 0
    if at == 0:
        return added, *drafts
    # With the links of the opening: they are written once, behind the last section of their page.
    parts = [replace(first, paragraphs=first.paragraphs[:at]), replace(added, links=first.links)]
    if first.paragraphs[at:]:
        parts.append(replace(first, id=f"{first.id}.2", paragraphs=first.paragraphs[at:]))
    return *parts, *rest


def _place(paragraphs: Sequence[Paragraph], language: str) -> int:
    """Return after how many paragraphs of an opening a sentence of its own tears nothing apart."""
    for at, (before, after) in enumerate(pairwise((*paragraphs, None)), 1):
        if before is None:
            break
        is_prose = before.kind == "p"
        leads_on = announces_more(before.sentences[-1].text, language) if is_prose else after is not None
        leans = after is not None and (
            after.kind != "p" or depends_on_previous(after.sentences[0].text, language)
        )
        if not (leads_on or leans):
            return at
    return 0


def _is_said(sentence: Sentence, drafts: Sequence[SectionDraft], names: Sequence[str]) -> bool:
    """Return whether a post has the sentence, or its first section one on the project with the same verb."""
    texts = [each.text for draft in drafts for p in draft.paragraphs for each in p.sentences]
    opening = [each.text for paragraph in drafts[0].paragraphs for each in paragraph.sentences]
    verb = _after_name(sentence.text, names).split(maxsplit=1)[0]
    return sentence.text in texts or any(_after_name(each, names).startswith(f" {verb} ") for each in opening)


def _names(project: str, language: str) -> tuple[str, ...]:
    """Return a project's name, and the part of it that is one: "Sparrow" of "Sparrow documentation"."""
    own = [word for word in project.split() if not is_generic(word, language)]
    return tuple(name for name in dict.fromkeys((project.strip(), " ".join(own))) if name)


def _names_it(drafts: Sequence[SectionDraft], names: Sequence[str]) -> bool:
    text = " ".join(
        each.text
        for draft in drafts
        for paragraph in draft.paragraphs
        if paragraph.kind not in {"quote", "code"}
        for each in paragraph.sentences
    )
    return any(name in text for name in names)


def _is_of_home(section: PageSection, library: Library) -> bool:
    """Return whether a section is of the home page; that of a part of a site has the name of the project."""
    name = words(section.page_name)[:1]
    is_named = bool(name) and stem(name[0], library.language) in library.own_stems
    is_bare = all(any(map(str.isdigit, word)) for word in words(section.page_name)[1:])
    return is_home(section.page.url) or (is_named and is_bare)


def _saying(section: PageSection, names: Sequence[str], language: str) -> Iterator[Sentence]:
    """Yield the sentences of a section that begin with a name of the project and go on with a verb."""
    for block in (each for each in section.blocks if each.kind == "p"):
        for text in sentences(block.text):
            fits = (
                _goes_on(_after_name(text, names))
                and _LENGTH[0] <= word_count(text) <= _LENGTH[1]
                and not announces_more(text, language)
                and may_open(text, language, text)
            )
            if fits:
                yield Sentence(text, (evidence_id(section.page.page_id, block.id),), "source")


def _after_name(text: str, names: Sequence[str]) -> str:
    """Return what follows a name, an article aside, at the beginning of a sentence; "" without one."""
    named = "|".join(map(re.escape, names))
    found = re.match(rf"(?:\w{{1,4}} )?(?:{named})(?![\w’'-])", text)
    return text[found.end() :] if found else ""


def _goes_on(rest: str) -> bool:
    """Return whether a sentence goes on without a mark and in a small letter, as with a verb."""
    return (rest[:1] == " " and rest[1:2].islower()) or is_unspaced(rest[:2])
