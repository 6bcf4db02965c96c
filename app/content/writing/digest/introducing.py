"""The sentence that ends a digest and says who or what its company or product is. Pure.

The quoted pages take that as known; a reader who comes from a search does not know it. Earlier it would be
advertising in the middle of a guide.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from app.content.drafts import ABOUT_PROJECT, Paragraph, SectionDraft, Sentence
from app.content.evidence.sections import PageSection, is_generic
from app.content.retrieval.page_stems import is_home
from app.content.retrieval.passages import Library
from app.content.retrieval.quotable import may_open
from app.language.references import announces_more
from app.language.sentences import sentences
from app.language.words import is_unspaced, word_count

_NO_HEADING: Final = 1
_LENGTH: Final = (5, 35)


def introduced(drafts: Sequence[SectionDraft], library: Library, project: str) -> tuple[SectionDraft, ...]:
    """Return the drafts with what the home page says of the ``project``, as a last section without a heading.

    Only a post that names the project needs it. Who "we" are is seen on every page of the site.
    """
    names = _names(project, library.language)
    if not drafts or not names or not _names_it(drafts, names):
        return tuple(drafts)
    homes = [each for each in library.sections if is_home(each.page.url)]
    sentence = next((said for home in homes for said in _saying(home, names, library.language)), None)
    quoted = {each.text for draft in drafts for p in draft.paragraphs for each in p.sentences}
    if sentence is None or sentence.text in quoted:
        return tuple(drafts)
    about = SectionDraft(ABOUT_PROJECT, "", (), (Paragraph("p", (sentence,)),), (), _NO_HEADING)
    return *drafts, about


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


def _saying(section: PageSection, names: Sequence[str], language: str) -> Iterator[Sentence]:
    """Yield the sentences of a section that begin with a name of the project and go on with a verb."""
    for block in (each for each in section.blocks if each.kind == "p"):
        for text in sentences(block.text):
            fits = (
                _goes_on(_after_name(text, names))
                and _LENGTH[0] <= word_count(text) <= _LENGTH[1]
                and not announces_more(text, language)
                and may_open(text, language, "")
            )
            if fits:
                yield Sentence(text, (section.id_of(block),), "source")


def _after_name(text: str, names: Sequence[str]) -> str:
    """Return what follows a name, an article aside, at the beginning of a sentence; "" without one."""
    named = "|".join(map(re.escape, names))
    found = re.match(rf"(?:\w{{1,4}} )?(?:{named})(?![\w’'-])", text)
    return text[found.end() :] if found else ""


def _goes_on(rest: str) -> bool:
    """Return whether a sentence goes on without a mark and in a small letter, as with a verb."""
    return (rest[:1] == " " and rest[1:2].islower()) or is_unspaced(rest[:2])
