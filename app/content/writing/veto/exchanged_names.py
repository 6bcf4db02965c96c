"""Finds a name of the evidence in the place of another: what Ewan says is said by Pascale. Pure.

The sentence repeats a statement of its evidence without the name that this statement has beside the same
words, and names somebody or something else whom the statement does not name. “I” names the page's author.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.retrieval.quotable import is_first_person
from app.content.writing.veto.clauses import clauses
from app.content.writing.veto.evidence import prose_of
from app.content.writing.veto.names import courtesy_titles, speakers_named
from app.content.writing.veto.names_of_evidence import WORD, names_of, plain, words_of
from app.content.writing.veto.statements import Statement, statements, statements_of, together
from app.language.languages import language_data
from app.language.stems import stem

_LEAST_SHARED: Final = 3
_LEAST_STATED: Final = 2
_SHARE: Final = 3
"""A statement is repeated by a sentence that has a third of its words from there."""


class ExchangedNames:
    """The names in the evidence of an article, without those that need no evidence.

    A statement on "he" or "she" may be about anybody whom its unit names, or its page names throughout.
    """

    def __init__(
        self,
        units: Iterable[EvidenceUnit],
        given: str,
        language: str,
        recurring: Mapping[int, frozenset[str]],
    ) -> None:
        """``recurring`` are the names that each page says throughout."""
        self._units = tuple(units)
        self._given = given
        self._language = language
        self._recurring = recurring
        references = language_data(language).references
        self._persons = frozenset(references.persons if references else ())

    def exchanged(self, text: str, units: Sequence[EvidenceUnit]) -> Iterator[tuple[str, str]]:
        """Yield (name, statement) if the evidence has another name in the place of a sentence's name."""
        said = together(statements(text, self._language))
        named = words_of(text) & self.names
        if not named:
            return
        marks = said.marks - {stem(each, self._language) for each in named}
        best, of = self._nearest(marks, named, units)
        if best is None or of is None:
            return
        wrong = named - words_of(f"{best.text} {of.about} {of.speaker}") - self._author(text, best, of)
        surnames = words_of(best.text) & named
        firsts = [each & self.names for each in _first_names(surnames, self._units)]
        wrong -= frozenset().union(*(each for each in firsts if len(each) == 1))
        # Two with one surname are two people.
        is_relative = any(len(each) > 1 and each & wrong for each in firsts)
        if not self._persons.isdisjoint(map(str.lower, WORD.findall(best.text))):
            wrong -= words_of(of.text) | words_of(" ".join(self._recurring[of.page_id]))
        if not named.isdisjoint(words_of(of.lead_in)):
            # It compares what the statement defines with other terms.
            wrong -= words_of(" ".join(unit.lead_in for unit in units if unit.kind == "definition"))
        left_out = (words_of(best.text) & self.names) - words_of(text)
        wrong = frozenset(each for each in wrong if not self._is_stated(each, text, units))
        called = {plain(each) for each in WORD.findall(text) if each[0].isupper()}
        is_other = not self._authors.isdisjoint(wrong & called) and self._is_of_another(best, of, text)
        if wrong and (is_other or is_relative or self._is_beside(left_out, best, marks)):
            yield next(each for each in WORD.findall(text) if plain(each) in wrong), best.text

    def _is_of_another(self, statement: Statement, of: EvidenceUnit, text: str) -> bool:
        """Return whether an author whom a sentence does not name says "I" in a statement."""
        author = words_of(of.author)
        is_own = is_first_person(statement.text, self._language)
        return bool(author) and is_own and author.isdisjoint(words_of(text))

    def _author(self, text: str, statement: Statement, of: EvidenceUnit) -> frozenset[str]:
        """Return the author of a page, if a statement is about them or a sentence says that they say it."""
        author = words_of(of.author)
        if is_first_person(statement.text, self._language):
            return author
        has_table = bool(language_data(self._language).words.speakers)
        return author & words_of(" ".join(speakers_named(text))) if has_table else author

    @cached_property
    def _authors(self) -> frozenset[str]:
        return words_of(" ".join(unit.author for unit in self._units))

    @cached_property
    def names(self) -> frozenset[str]:
        """The names, word by word."""
        return names_of(self._units, self._given, self._language)

    def _nearest(
        self, marks: frozenset[str], named: frozenset[str], units: Sequence[EvidenceUnit]
    ) -> tuple[Statement | None, EvidenceUnit | None]:
        """Return the statement with most of the words of a sentence, then of its names, and where it is."""
        best, of = max(
            self._stated(prose_of(units)),
            key=lambda each: (len(marks & each[0].marks), len(named & words_of(each[0].text))),
            default=(None, None),
        )
        shared = len(marks & best.marks) if best else 0
        if shared < _LEAST_SHARED or shared * _SHARE < len(marks):
            return None, None
        return best, of

    def _stated(self, units: Iterable[EvidenceUnit]) -> Iterator[tuple[Statement, EvidenceUnit]]:
        """Yield each statement with the unit that says it."""
        return ((each, unit) for unit in units for each in statements_of([unit], self._language))

    def _is_stated(self, name: str, text: str, units: Sequence[EvidenceUnit]) -> bool:
        """Return whether a statement has a name with half of the words of its clause, two at least."""
        for clause in clauses(text):
            if name not in words_of(clause):
                continue
            whole = together(statements(clause, self._language))
            figures = {f.number for f in whole.figures}
            said = whole.marks
            said -= {stem(each, self._language) for each in self.names}
            for each, unit in self._stated(units):
                shared = len(said & each.marks)
                is_enough = shared >= min(_LEAST_STATED, len(said)) > 0 and 2 * shared >= len(said)
                if name in self._authors and not figures <= {f.number for f in each.figures}:
                    continue
                if is_enough and name in words_of(each.text) | self._author(text, each, unit):
                    return True
        return False

    def _is_beside(self, left_out: frozenset[str], statement: Statement, marks: frozenset[str]) -> bool:
        """Return whether a name stands right beside a word that the sentence has too, titles left out."""
        stems = {stem(form, self._language) for each in left_out for form in (each, f"{each}s")}
        titles = {stem(each, self._language) for each in courtesy_titles()}
        figures = [(each.start, each.number) for each in statement.figures]
        ordered = [mark for _, mark in sorted([*statement.words, *figures]) if mark not in titles]
        return any(
            (one in stems and other in marks) or (other in stems and one in marks)
            for one, other in pairwise(ordered)
        )


def _first_names(surnames: frozenset[str], units: Iterable[EvidenceUnit]) -> list[frozenset[str]]:
    """Return for each surname the first names that units have before it: Mrs Nuttall is "Beryl Nuttall"."""
    found: dict[str, set[str]] = defaultdict(set)
    for unit in prose_of(units):
        for first, last in pairwise(WORD.finditer(unit.text)):
            is_name = first[0][0].isupper() and last[0][0].isupper()
            if is_name and unit.text[first.end() : last.start()] == " " and plain(last[0]) in surnames:
                found[plain(last[0])].add(plain(first[0]))
    return [frozenset(each - courtesy_titles()) for each in found.values()]
