"""The veto: rules that every sentence of a model must pass. Pure and deterministic.

    sentence + the evidence it names → violations

The rules check figures with their units, rows of tables, names, quotes and their speakers, addresses, lines
of code, placeholders and words to avoid. They do not judge style, nor whose a figure is: that a verifier has
to read in the evidence, where a sentence leaves it out (``article/cloze.py``).
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from app.content.drafts import Sentence
from app.content.evidence.quotes import comparable
from app.content.evidence.units import EvidenceUnit
from app.content.quality.blocking import PLACEHOLDER
from app.content.rendering.markdown import PAGE_LINK, shown, with_backticks
from app.content.retrieval.avoiding import avoided_pattern
from app.content.writing.veto.code import (
    TypedElsewhere,
    unsupported_lines,
    unsupported_runs,
    without_numbers_of,
)
from app.content.writing.veto.denied_cells import denied_cells
from app.content.writing.veto.evidence import EvidenceSet, text_of
from app.content.writing.veto.names import (
    is_title_case,
    nouns_of,
    recurring_names,
    unsupported_names,
)
from app.content.writing.veto.numbered_names import without_numbered_names
from app.content.writing.veto.quantities import Quantity, quantities
from app.content.writing.veto.quotations import Quotations
from app.content.writing.veto.said_again import said_again, without_figures
from app.content.writing.veto.taken_rows import faults_of_row
from app.content.writing.veto.unsupported_numbers import unsupported_dates, unsupported_numbers
from app.content.writing.veto.worked_out import WorkedOut, worked_out
from app.language.languages import language_data
from app.language.stems import content_stems
from app.language.words import QUESTION_MARKS, words

_ADDRESS: Final = re.compile(
    r"(?:https?|ftp|javascript|vbscript|mailto)\s?:\S*|\b(?:file|data)\s?:\S+|\bwww\.\S+|[\w.+-]+@[\w-]+\.\w+"
    r"|\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|app|info|biz|example|test|co|ai|me|de|fr|es|it|nl|pt|eu|uk|ru|cn|xyz)\b"
    r"(?:/\S*)?",
    re.IGNORECASE,
)
_FINGERPRINT: Final = re.compile(r"(?:[0-9A-Fa-f]{2}:){4,}[0-9A-Fa-f]{2}")
"""Pairs of digits that are no numbers: those of a certificate or a network card."""
_STAND_IN: Final = re.compile(
    r"\[(?i:(?:your |the |first |last |full )*(?:name|company|date|title|city|price|product|link))\]"
    r"|\bNAME\b|\bYOUR [A-Z]+\b|\b(?:[A-Z]+_)+[A-Z]+\b",
)
"""Words that stand for what a writer did not know."""


class Veto:
    """Checks the sentences of one article."""

    def __init__(self, evidence: EvidenceSet, language: str, avoid: Sequence[str] = ()) -> None:
        self._evidence = evidence
        self._language = language
        self._avoid = avoided_pattern(avoid)
        self._recurring = recurring_names(evidence.units.values())
        self._nouns = nouns_of(evidence.text, language)
        small = language_data(language).words.stopwords
        given = frozenset(each.number for each in quantities(evidence.given, language) if each.counted)
        names = frozenset(word for word in words(evidence.given) if word.islower()) - small
        self._typed = TypedElsewhere(evidence.units.values(), small, given, names)
        self._quotations = Quotations(evidence.units.values(), evidence.given, self._recurring)

    def violations(
        self,
        sentence: Sentence,
        kind: str = "p",
        counts: Collection[int] = (),
        header: Sequence[str] = (),
        earlier: Collection[Quantity] = (),
        answers: Collection[Quantity] = (),
    ) -> tuple[str, ...]:
        """Return what is wrong with a sentence, as texts for the model and the editor; () if nothing is.

        ``counts`` are the lengths of lists and tables beside it, which its numbers may count, ``header``
        names the cells of a row, ``earlier`` are figures that sentences before it work out, and ``answers``
        those that it may give without their sum.
        """
        units = self._evidence.cited(sentence.source_ids)
        text = shown(sentence.text)
        found = [
            f"it names evidence that was not shown: {each}"
            for each in self._evidence.unknown(sentence.source_ids)
        ]
        if kind == "code":
            return (*found, *unsupported_lines(sentence.text, units, self._typed))
        if kind == "quote":
            return (*found, *self._unsupported_quotation(text, units), *self._always(text))
        if kind == "heading":
            return (*found, *self.heading_violations(text, counts))
        said = self._said(units)
        # A sentence without evidence may name the subject of the article.
        named_in = said if units else f"{self._evidence.text}\n{said}"
        bare = text if units else without_numbered_names(text, named_in)
        bare = without_numbers_of(self._typed.operands, sentence, bare)
        bare = _FINGERPRINT.sub(lambda match: "…" if match[0] in said else match[0], bare)
        sums = worked_out(bare, said, self._language, header, earlier)
        again = said_again(bare, said, self._language, answers) if answers else ()
        own = {*sums.results, *sums.factors, *again}
        found += unsupported_numbers(bare, said, units, self._language, counts, own)
        found += unsupported_dates(without_figures(bare, own), said)
        found += faults_of_row(without_figures(bare, own), units, header, self._language)
        denied = denied_cells(bare, units, self._language)
        found += (f"the evidence says no for “{column}” to “{row}”" for row, column in denied)
        found += _stand_ins(text, said)
        # No name goes on from the text into a link.
        found += self._unsupported_names(PAGE_LINK.sub(r" \2 ", sentence.text), named_in, units)
        found += self._quotations.faults(text, said, units)
        # A question may name a command of the article, an instruction needs its evidence.
        run_in = named_in if text.endswith(QUESTION_MARKS) else said
        found += unsupported_runs(sentence, run_in, units, self._typed)
        return (*found, *self._addresses(_without_code(sentence), said), *self._always(text))

    def worked_out(
        self, sentence: Sentence, header: Sequence[str], earlier: Collection[Quantity]
    ) -> WorkedOut:
        """Return the figures that a sentence works out, also from those that are worked out before it."""
        said = self._said(self._evidence.cited(sentence.source_ids))
        return worked_out(shown(sentence.text), said, self._language, header, earlier)

    def said_again(self, sentence: Sentence, results: Collection[Quantity]) -> tuple[Quantity, ...]:
        """Return the figures of a sentence that are ``results`` of others, and not in its evidence."""
        said = self._said(self._evidence.cited(sentence.source_ids))
        return said_again(shown(sentence.text), said, self._language, results)

    def words_of(self, text: str) -> frozenset[str]:
        """Return the stems of the words of a text that have a meaning; figures have none."""
        return frozenset(filter(str.isalpha, content_stems(shown(text), self._language)))

    def _said(self, units: Sequence[EvidenceUnit]) -> str:
        """Return what a sentence that names some evidence rests on."""
        return f"{text_of(units)}\n{self._evidence.given}"

    def heading_violations(self, text: str, counts: Collection[int] = ()) -> tuple[str, ...]:
        """Return what is wrong with a title, heading or question, judged against all the evidence.

        In title case, names look like other words.
        """
        said = f"{self._evidence.text}\n{self._evidence.given}"
        units = tuple(self._evidence.units.values())
        found = unsupported_numbers(text, said, units, self._language, counts)
        return (*found, *unsupported_dates(text, said), *self.key_point_violations(text))

    def key_point_violations(self, text: str) -> tuple[str, ...]:
        """Return what is wrong with a key point of a plan, judged like a heading apart from its figures.

        A plan works out what the article is to say, from figures of several sections or the topic. No reader
        sees a key point, and the figures of each sentence that is written from it are judged themselves.
        """
        said = f"{self._evidence.text}\n{self._evidence.given}"
        units = tuple(self._evidence.units.values())
        found = list(_stand_ins(text, said))
        if not is_title_case(text):
            found += self._unsupported_names(text, said)
        found += self._quotations.faults(text, said, units)
        return (*found, *self._addresses(text, said), *self._always(text))

    def _unsupported_names(self, text: str, said: str, units: Sequence[EvidenceUnit] = ()) -> Iterator[str]:
        unknown = unsupported_names(_STAND_IN.sub("…", text), said, self._language, self._nouns)
        if len(unknown) == 1 and any(unknown[0] in self._recurring[unit.page_id] for unit in units):
            return  # whom a page speaks of throughout, it calls "she" here
        for name in unknown:
            yield f"the name “{name}” is not in the evidence it names"

    def _unsupported_quotation(self, text: str, units: Sequence[EvidenceUnit]) -> Iterator[str]:
        if comparable(text).strip(" \"'.") not in comparable(text_of(units)):
            yield "a quote has the exact words of the evidence it names, and these are others"

    def _addresses(self, text: str, said: str) -> Iterator[str]:
        for address in _ADDRESS.findall(text):
            if address.rstrip(".,;:!?)") not in said:
                yield f"the address {address} must not be written"

    def _always(self, text: str) -> Iterator[str]:
        if PLACEHOLDER.search(text):
            yield "it has a placeholder"
        for phrase in dict.fromkeys(self._avoid.findall(text)):
            yield f"“{phrase}” is to be avoided"


def _without_code(sentence: Sentence) -> str:
    """Return a sentence without its code, whose hosts are judged with its other parts."""
    return re.sub(r"`[^`]*`", "…", shown(with_backticks(sentence.text, sentence.code)))


def _stand_ins(text: str, said: str) -> Iterator[str]:
    for match in _STAND_IN.finditer(text):
        if match[0] not in said:
            yield f"“{match[0]}” is a placeholder that nobody filled in"
