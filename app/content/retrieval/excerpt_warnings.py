"""Warnings of a section that its excerpt would leave out: they are quoted in their place. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from app.content.drafts import Paragraph, Sentence
from app.content.evidence.sections import PageSection
from app.content.retrieval.quotable import is_fragment, may_open, stands_alone
from app.language.sentences import sentences
from app.language.warning_signs import warns
from app.language.words import extent

_MOST_WORDS: Final = 60
"""Words of the warnings of one section, beside its excerpt."""
_LONGEST_NOTE: Final = 40
"""Words of a paragraph that begins with a warning and is one as a whole."""
_LED_BY: Final = 2
"""Sentences before a warning that lead to it."""


def with_warnings(
    taken: Sequence[Paragraph], section: PageSection, language: str, *, may_say_i: bool
) -> list[Paragraph]:
    """Return the paragraphs of an excerpt with the warnings of the section that are not in them."""
    places = {section.id_of(block): at for at, block in enumerate(section.blocks)}
    quoted = frozenset(sentence.text for paragraph in taken for sentence in paragraph.sentences)
    find = _Warnings(quoted, section.heading or section.page_name, language, may_say_i)
    found, left = [(places[each.sentences[0].source_ids[0]], each) for each in taken], _MOST_WORDS
    for at, block in enumerate(section.blocks):
        said = find.in_paragraph(sentences(block.text)) if block.kind == "p" else ()
        size = sum(map(extent, said))
        if said and size <= left:
            left -= size
            source = section.id_of(block)
            found.append((at, Paragraph("p", tuple(Sentence(text, (source,), "source") for text in said))))
    return [paragraph for _, paragraph in sorted(found, key=itemgetter(0))]


@dataclass(frozen=True)
class _Warnings:
    """Finds the warnings that are not ``quoted``; ``known`` is the heading above them."""

    quoted: frozenset[str]
    known: str
    language: str
    may_say_i: bool

    def in_paragraph(self, own: Sequence[str]) -> Sequence[str]:
        """Return the first sentences that warn and make sense here, or none.

        A paragraph that begins with a warning is one as a whole, if it is short.
        """
        for at, text in enumerate(own):
            start = self._opening(own, at) if self._warns(own, at) and text not in self.quoted else None
            if start is not None:
                whole = at == 0 or is_fragment(own[0])
                most = _LONGEST_NOTE if whole else 0
                end = at + 1
                while end < len(own) and self._stands_alone(own[end]):
                    if not self._warns(own, end) and sum(map(extent, own[start : end + 1])) > most:
                        break
                    end += 1
                return own[start:end]
        return ()

    def _warns(self, own: Sequence[str], at: int) -> bool:
        """Return whether a sentence warns; behind "Important!" it does."""
        is_led = at > 0 and is_fragment(own[at - 1]) and warns(own[at - 1], self.language)
        return is_led or (warns(own[at], self.language) and not is_fragment(own[at]))

    def _opening(self, own: Sequence[str], at: int) -> int | None:
        """Return where a quotation up to a warning may begin: there, or a few sentences before."""
        for start in range(at, max(-1, at - _LED_BY - 1), -1):
            text = own[start]
            if text in self.quoted or not self._stands_alone(text):
                return None
            if text[:1].isupper() and may_open(text, self.language, self.known, may_say_i=self.may_say_i):
                return start - 1 if start and is_fragment(own[start - 1]) else start
        return None

    def _stands_alone(self, text: str) -> bool:
        return stands_alone(text, self.language, may_say_i=self.may_say_i)
