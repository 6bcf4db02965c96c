"""Finds the figures and names of a sentence that could be another's: these a verifier does not see. Pure.

That is a figure, a name, or an option or setting in code, that the evidence has beside others of its kind.
Not so quotations, which rules compare letter by letter, counts, and figures that the sentence works out.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import occurrences
from app.content.writing.article.blank_places import Blank, apart, end_of_number, is_within, joined, span
from app.content.writing.article.code_names import code_names
from app.content.writing.article.labels import columns, explained_values, labels, plans, without_figures
from app.content.writing.article.listed_words import listed_words
from app.content.writing.article.telling_words import small_names, telling_words
from app.content.writing.veto.dates import dates
from app.content.writing.veto.evidence import EvidenceSet, read_of
from app.content.writing.veto.names_of_evidence import (
    POSSESSIVE,
    WORD,
    names_by_letters,
    names_of,
    names_of_two_words,
    only_with_capitals,
    plain,
    words_of,
)
from app.content.writing.veto.numbered_names import numbered_names
from app.content.writing.veto.quantities import TIMES, Quantity, claimed_quantities, known_quantities
from app.content.writing.veto.worked_out import worked_out
from app.language.languages import language_data, merged
from app.language.sentences import QUOTATION
from app.language.stems import content_stems, stem
from app.language.words import CAPITALS, alternatives

_CODE: Final = re.compile(r"`[^`]+`")
_WITH_DIGITS: Final = re.compile(
    r"(?<![A-Za-z\d])(?:[A-Za-z]+\d|(?!\d+h\d)\d+[A-Za-z]+\d|\d+-in-\d|(?<=\d )\d[A-Z]{2}\b)[A-Za-z\d]*"
)
"""A word such as "MT940", "0x4D1E", "3-in-1" or the "7QT" of a postcode is a name, whatever its numbers."""
_WORD_BEFORE: Final = re.compile(rf"([{CAPITALS}][\w’'.-]*) (?:& )?$")
_WORD_AFTER: Final = re.compile(rf" (?:& )?([{CAPITALS}][\w’'-]*)")
"""A word with a capital beside a name."""
_PART_OF_WORD: Final = re.compile(r"-?[^\W\d_]")
"""What follows the number in "half-landing" and "5xx"."""
_TWO_CAPITALS: Final = re.compile(rf"\S+ [{CAPITALS}]")
_ENOUGH_WORDS: Final = 6
_ENOUGH_BESIDE_LISTED: Final = 4
_MOST_BESIDE_LISTED: Final = 4
_MANY_NAMES: Final = 3


@cache
def _definite() -> re.Pattern[str]:
    """Return what stands before the number of things that are known: "the first two values"."""
    words = merged(lambda language: language.figures)
    order = rf"(?:(?:{alternatives(words.order)})\s+)?"
    return re.compile(rf"\b(?:{alternatives(words.definite)})\s+{order}$", re.IGNORECASE)


class Blanks:
    """Finds what to leave out of the sentences of an article."""

    def __init__(self, evidence: EvidenceSet, language: str) -> None:
        self._text = evidence.text
        self._given = known_quantities(evidence.given, language)
        self._topic, self._given_words = evidence.given, words_of(evidence.given)
        units = evidence.units.values()
        self._names = names_of(units, evidence.given, language)
        self._plans = plans(units)
        self._labels = self._plans | labels(units, language)
        self._columns = self._labels & columns(units, evidence.text)
        table = language_data(language).words
        self._small, self._has_capital_nouns = table.stopwords, table.capital_nouns
        self._language = language

    def of_prose(self, text: str, units: Sequence[EvidenceUnit]) -> list[Blank]:
        """Return what to leave out of a sentence that rests on ``units``.

        Of what tables and price cards say, only the figures go, if there are any and not more plans: each
        plan makes "{a} costs £{b}" true. A plan goes with them where other evidence says which one. Where few
        words are left, of several names beside several figures only the first goes, and the others say whose
        the figures are. Names in small letters and what the evidence lists beside others go, too, and where
        there is nothing else, the word that tells things of one kind apart: "the bestups driver".
        """
        if not units:
            return []
        said = read_of(units)
        found = self._figures_and_names(text, said, units) or self._column_in_front(text, said)
        small = self._words(text, small_names(text, said, explained_values(units), self._language))
        listed = self._listed(text, units, has_figures=any(each.figures for each in found))
        more = [*listed, *apart(small, [*map(span, listed)])]
        if both := joined([*found, *apart(more, [*map(span, found)])], text):
            least = _ENOUGH_BESIDE_LISTED if listed else _ENOUGH_WORDS
            says_enough = len(both) <= _MOST_BESIDE_LISTED and self._says_enough(text, both, least)
            return both if not found or says_enough else found
        return self._words(text, telling_words(text, said, self._language))

    def _listed(self, text: str, units: Sequence[EvidenceUnit], *, has_figures: bool) -> list[Blank]:
        """Return the words that the evidence lists beside others, if those left say which they are."""
        places = sorted(listed_words(text, units, self._language, has_figures=has_figures))
        found = [Blank(*place, text[slice(*place)], "name") for place in places]
        is_few = len(found) <= _MOST_BESIDE_LISTED
        return found if is_few and self._says_enough(text, found, _ENOUGH_BESIDE_LISTED) else []

    def _column_in_front(self, text: str, said: str) -> list[Blank]:
        """Return the name of a column with which a sentence begins, if its evidence has others to name."""
        found = [Blank(0, len(each), each, "name") for each in self._columns if text.startswith(f"{each} ")]
        longest = sorted(found, key=span)[-1:]
        others = self._columns - {each.written for each in longest}
        return longest if any(each in said for each in others) else []

    def _words(self, text: str, places: Iterable[tuple[int, int]]) -> list[Blank]:
        """Return words outside quotations and code as blanks."""
        kept = [match.span() for pattern in (QUOTATION, _CODE) for match in pattern.finditer(text)]
        return list(apart((Blank(*place, text[slice(*place)], "name") for place in places), kept))

    def _figures_and_names(self, text: str, said: str, units: Sequence[EvidenceUnit]) -> list[Blank]:
        quoted = [match.span() for match in QUOTATION.finditer(text)]
        code = list(apart(code_names(text, said), quoted))
        kept = [*quoted, *(match.span() for match in _CODE.finditer(text))]
        labels = list(apart(self._labels_in(text, said), kept))
        days = list(apart(self._days_in(text, said), kept))
        names = list(apart(self._names_in(text, said, units), [*kept, *map(span, (*labels, *days))]))
        code = list(apart(code, [*map(span, (*labels, *names))]))  # "Node.js" is a name.
        kept += [*numbered_names(text, said), *map(span, (*labels, *days, *names, *code))]
        figures = list(apart(self._figures_in(text, said), kept))
        says_enough = self._says_enough(text, [*labels, *days, *names, *code, *figures])
        listing = [unit for unit in units if unit.kind in {"table", "price"}]
        if figures and listing:
            named = {each.written for each in labels}
            # "£2 a month on Keep and Play": which ones they are is what the evidence has to say.
            chosen = labels if len(named) > len(figures) else [*self._values(figures, units)]
            beside = read_of([unit for unit in units if unit not in listing])
            is_said_beside = any(each in beside for each in self._labels)
            is_apart = is_said_beside or without_figures(named, [each.written for each in figures], listing)
            if len(named) == 1 and chosen != labels and says_enough and is_apart:
                chosen = [*labels, *chosen]
            others = [each for each in names if says_enough and not each.written.isupper()]  # "before VAT"
            return joined([*chosen, *days, *others], text)
        names = [*labels, *names]
        if names and not says_enough and (len(figures) > 1 or len(names) > _MANY_NAMES):
            first = min(names, key=span).written
            names = [each for each in names if each.written == first]
        return joined([*figures, *days, *names, *code], text)

    def of_cell(self, text: str, units: Sequence[EvidenceUnit]) -> list[Blank]:
        """Return the figures of a cell of a row; the first cell and the header say whose they are."""
        said = read_of(units)
        return joined(apart(self._figures_in(text, said), list(numbered_names(text, said))), text)

    def _figures_in(self, text: str, said: str) -> Iterator[Blank]:
        """Yield the figures that the evidence has beside others of the same unit."""
        known = known_quantities(said, self._language)
        sums = worked_out(text, said, self._language)
        own = {*sums.results, *sums.factors}
        in_names = [match.span() for match in _WITH_DIGITS.finditer(text)]
        for each in claimed_quantities(text, self._language):
            same = self._same(each, known)
            is_given = any(self._may_be(each, known) for known in self._given)
            stop = each.start + len(each.written)
            is_word = not (each.unit or each.written[0].isdigit())
            is_count = is_word and _definite().search(text[: each.start]) is not None
            is_part = is_count or (not each.unit and _PART_OF_WORD.match(text, stop) is not None)
            if same and not (is_given or is_part) and each not in own and _has_rival(each, known):
                forms = (each, *same, *known_quantities(each.written, self._language))
                yield from apart([Blank(each.start, stop, each.written, "figure", (forms,))], in_names)

    def _same(self, claimed: Quantity, known: Sequence[Quantity]) -> tuple[Quantity, ...]:
        """Return the figures of the evidence that one may be.

        Where the evidence counts as much of something else, it has to be read, but for a number in words of
        what it never counts: "drops 7 cents and gets 5 back" has no 5 cents, "five things" are no figure.
        """
        same = tuple(each for each in known if self._may_be(claimed, each))
        thing = stem(claimed.counted, self._language) if claimed.counted else ""
        counts_thing = any(stem(each.counted, self._language) == thing for each in known)
        if same or not thing or not (counts_thing or claimed.written[0].isdigit()):
            return same
        return tuple(each for each in known if claimed.says(each) and not each.unit)

    def _days_in(self, text: str, said: str) -> Iterator[Blank]:
        """Yield the days, months and years in words that the evidence has beside others."""
        known = {(each.month, each.day_or_year) for each in dates(said)}
        for each in dates(text) if len(known) > 1 else ():
            if (each.month, each.day_or_year) in known and any(map(str.isalpha, each.written)):
                for place in occurrences(each.written, text):
                    yield Blank(*place, each.written, "name")

    def _says_enough(self, text: str, blanks: Sequence[Blank], least: int = _ENOUGH_WORDS) -> bool:
        """Return whether what is left of a sentence says which of the things of its evidence it is about."""
        for each in sorted(blanks, key=span, reverse=True):
            text = text[: each.start] + text[each.stop :]
        return len(content_stems(text, self._language)) >= least

    def _values(self, figures: Sequence[Blank], units: Iterable[EvidenceUnit]) -> Sequence[Blank]:
        """Return figures without those that name rows, if others are left: "3 nights cost 60%"."""
        tables = [unit for unit in units if unit.kind == "table"]
        values = [
            blank
            for blank in figures
            if not any(self._names_row(blank.figures[0][0], unit) for unit in tables)
        ]
        return values or figures

    def _names_row(self, figure: Quantity, table: EvidenceUnit) -> bool:
        """Return whether a figure names a row or column: of a column "Nights" it counts nights."""
        head = frozenset(content_stems(table.header[0], self._language)) if table.header else frozenset()
        counts = figure.unit or figure.is_year or stem(figure.counted, self._language) in head
        names = known_quantities("; ".join(map(table.name_of, table.rows)), self._language)
        if any(figure.says(each) and (not each.is_bare or counts) for each in names):
            return True
        return figure.is_year and figure.written in table.header

    def _may_be(self, claimed: Quantity, known: Quantity) -> bool:
        """Return whether a figure of the evidence may be the one that a sentence has.

        Two plans are no 2 seats, and "a year" has no 12 months to read. A number in words that counts nothing
        is no figure: "twice as long".
        """
        is_article = known.number == "1" != claimed.number and not known.written[0].isdigit()
        if is_article or not claimed.says(known):
            return False
        if claimed.unit or known.is_bare:
            return True
        if not claimed.counted:
            return claimed.written[0].isdigit()
        return not known.counted or stem(claimed.counted, self._language) == stem(
            known.counted, self._language
        )

    def _labels_in(self, text: str, said: str) -> list[Blank]:
        """Return the plans, rows and columns that a sentence names, if there are others to name."""
        found = [
            Blank(*place, label, "name")
            for label in self._labels
            if label in text
            for place in occurrences(label, text)
            if (place[0] or label in self._plans or _TWO_CAPITALS.match(label))
            and (label in said or label not in self._topic)
        ]
        longest = [each for each in found if not any(is_within(span(each), span(other)) for other in found)]
        named = {each.written for each in longest}
        has_others = any(each in said and occurrences(each, said) for each in self._labels - named)
        return longest if has_others or len(named) > 1 else []

    def _names_in(self, text: str, said: str, units: Sequence[EvidenceUnit]) -> list[Blank]:
        """Return the proper names of a sentence, each whole, if there are others to name.

        A word that only other evidence has in small letters is a name here: "the Fat and Tall layouts".
        """
        known = self._names | names_of(units, self._topic, self._language)
        found: list[Blank] = []
        capital = frozenset() if self._has_capital_nouns else only_with_capitals(said) - self._given_words
        mixed = names_by_letters(said)
        written = "" if self._has_capital_nouns else "\n".join(unit.text for unit in units)
        pairs = {pair for pair in names_of_two_words(written) if self._small.isdisjoint(words_of(pair))}
        in_pairs = [place for pair in pairs for place in occurrences(pair, text)]
        for match in WORD.finditer(text):
            word = plain(match[0])
            if not match.start() and text[match.end() :].startswith(","):
                continue  # "Yes, …" answers a question.
            is_capital = match.start() > 0 and text[match.start() - 1] == " " and word in capital
            is_name = (word in known or is_capital) and match[0][0].isupper() and len(word) > 1
            is_in_pair = any(start <= match.start() < stop for start, stop in in_pairs)
            if is_in_pair or ((is_name or match[0] in mixed) and word not in self._small):
                start, stop = self._whole_name(text, match)
                found.append(Blank(start, stop, text[start:stop], "name"))
        whole = joined(found, text)
        named = {each.written for each in whole}
        own = words_of(" ".join(named))
        others = (
            (known - own) & words_of(said)
            or mixed - {*WORD.findall(" ".join(named))}
            or any(words_of(pair).isdisjoint(own) for pair in pairs)
        )
        return whole if others or len(named) > 1 else []

    def _whole_name(self, text: str, match: re.Match[str]) -> tuple[int, int]:
        """Return where a name begins and ends, with words beside it that the evidence has there, too."""
        word = POSSESSIVE.sub("", match[0])
        start, stop = match.start(), match.start() + len(word)
        before, after = _WORD_BEFORE.search(text[:start]), _WORD_AFTER.match(text[stop:])
        if before and before[1].lower() not in self._small and occurrences(before[0] + word, self._text):
            start = before.start()
        if after and after[1].lower() not in self._small and occurrences(word + after[0], self._text):
            stop += after.end()
        return start, end_of_number(text, start, stop, self._text)


def _has_rival(figure: Quantity, known: Iterable[Quantity]) -> bool:
    """Return whether the evidence has another figure that could stand in the place of one."""
    return any(
        not figure.says(each)
        and (each.unit == figure.unit or each.is_bare or not figure.unit or {each.unit, figure.unit} <= TIMES)
        for each in known
    )
