"""Excerpts: what a section says from its start that makes sense on another page. Pure.

An excerpt is verbatim. Sentences that point elsewhere ("see below") are left out together with what refers to
them; a list, a table, a quotation or a listing is taken whole or not at all.
"""

from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from app.content.drafts import Paragraph, Sentence
from app.content.evidence.authors import author_of
from app.content.evidence.sections import PageSection
from app.content.evidence.units import kind_of, runs_of
from app.content.retrieval.excerpt_builder import ExcerptBuilder
from app.content.retrieval.excerpt_parts import LEAST_WORDS, chosen_part, extent_of, without_dangling_end
from app.content.retrieval.excerpt_warnings import with_warnings
from app.language.words import QUESTION_MARKS, fold, word_count

_LEAST_ANSWER_WORDS: Final = 8


@dataclass(frozen=True)
class Excerpt:
    """The run taken from one section and its number of words."""

    section: PageSection
    paragraphs: tuple[Paragraph, ...]
    words: int

    @property
    def block_ids(self) -> tuple[str, ...]:
        """The evidence ids of the blocks quoted, in reading order."""
        return tuple(dict.fromkeys(each for s in self.sentences for each in s.source_ids))

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences quoted, in reading order."""
        return tuple(sentence for paragraph in self.paragraphs for sentence in paragraph.sentences)

    @property
    def marks(self) -> frozenset[str]:
        """The sentences in folded form, to recognise a text that is quoted already."""
        return frozenset(fold(s.text) for s in self.sentences)

    @property
    def text(self) -> str:
        """The quoted words as one string."""
        return " ".join(s.text for s in self.sentences)


def excerpt(
    section: PageSection,
    budget: int,
    language: str,
    *,
    answers: bool = False,
    may_say_i: bool = False,
    leads: bool = False,
) -> Excerpt | None:
    """Return what a section says within ``budget`` words of prose, or None when none of it makes sense alone.

    ``answers`` allows an opening that refers to the heading, as an answer does to its question ("Yes, …").
    ``may_say_i`` allows the first person; at the beginning of a page only if it is known who wrote it. What
    ``leads`` into the page that a post follows may be as short as an answer.
    """
    answers = answers or section.heading.endswith(QUESTION_MARKS)
    may_say_i = may_say_i and (section.position > 0 or bool(author_of(section.page)))
    builder = ExcerptBuilder(section, budget, language, answers=answers, may_say_i=may_say_i)
    runs = runs_of(section.blocks)
    for run, after in zip_longest(runs, runs[1:]):
        builder.take(run, kind_of(after) if after else None)
    parts = [without_dangling_end(part, language) for part in builder.parts]
    heading = section.heading or section.page_name
    taken = chosen_part(parts, builder.staying, heading, language, leads=leads)
    has_code = any(each.kind == "code" for each in taken)
    least = _LEAST_ANSWER_WORDS if answers or leads else LEAST_WORDS
    if not has_code and extent_of(taken) < least:
        return None
    texts = [s.text for p in taken if p.kind != "code" for s in p.sentences]
    # Warnings come on top: they take the place of no other section.
    taken = with_warnings(taken, section, language, may_say_i=may_say_i)
    return Excerpt(section, tuple(taken), sum(map(word_count, texts)))
