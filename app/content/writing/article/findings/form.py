"""What stands in the wrong form in a draft: tables, pointers, dates, headings, the closing. Pure."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from app.content.drafts import Paragraph, Sentence
from app.content.evidence.about_site import names_mail, names_telephone
from app.content.quality.style import LONG_SECTION
from app.content.rendering.markdown import links_in, shown
from app.content.writing.article.draft import WHOLE, Draft, Place
from app.content.writing.article.findings.finding import Finding
from app.content.writing.veto.dates import Date, dates
from app.content.writing.veto.figures import is_money
from app.content.writing.veto.quantities import TIMES, quantities
from app.language.languages import language_data
from app.language.references import points_elsewhere
from app.language.sentences import sentences
from app.language.stems import topic_stems
from app.language.words import COLONS, QUESTION_MARKS, extent, words

_SHOWING: Final = frozenset({"ul", "ol", "table", "quote", "code"})
_NUMBER: Final = re.compile(r"\d")
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_LAST_DAY: Final = 31
_KINDS: Final = {
    **dict.fromkeys(TIMES, "time"),
    **dict.fromkeys(("mm", "cm", "m", "km"), "length"),
    **dict.fromkeys(("g", "kg", "t"), "weight"),
}
_PLAIN_TABLE: Final = 2
"""Columns of a table whose rows name what they are about: name and value."""


def faulty_tables(draft: Draft, language: str) -> Iterator[Finding]:
    """Yield the tables with empty or repeated names of columns, or with a column of different units."""
    for place, paragraph in _paragraphs(draft):
        if paragraph.kind != "table":
            continue
        header = [head.lower() for head in paragraph.header]
        said = " | ".join(paragraph.header)
        if not all(header) or len(set(header)) < len(header):
            yield Finding(place, said, "has an empty or repeated column name")
        mixed = _mixed_column(paragraph, language)
        if mixed:
            yield Finding(place, said, f"has different units in the column “{mixed}”")


def long_sections(draft: Draft) -> Iterator[Finding]:
    """Yield the sections of over 300 words between two headings; listings do not count."""
    for number, part in enumerate(draft.parts):
        length = 0
        for paragraph in part.paragraphs:
            words = sum(extent(shown(each.text)) for each in paragraph.sentences)
            length = 0 if paragraph.kind == "heading" else length + (words if paragraph.kind != "code" else 0)
            if length > LONG_SECTION:
                place = Place(number, WHOLE, WHOLE)
                yield Finding(
                    place, part.heading or part.role, "is over a section of more than 300 words: it needs h3"
                )
                break


def lost_pointers(draft: Draft, language: str) -> Iterator[Finding]:
    """Yield the sentences that announce or point at a list or table that is not there."""
    references = language_data(language).references
    for place, paragraph in _paragraphs(draft):
        if paragraph.kind != "p" or not paragraph.sentences:
            continue
        kinds = [each.kind for each in draft.parts[place.part].paragraphs]
        is_announced = next(iter(kinds[place.paragraph + 1 :]), "") in _SHOWING
        last = len(paragraph.sentences) - 1
        for n, sentence in enumerate(paragraph.sentences):
            text, at = shown(sentence.text), place._replace(sentence=n)
            names_part = _names_part(words(text.lower()), references.parts, references.these)
            if text.endswith(COLONS) and not (n == last and is_announced):
                yield Finding(at, text, "ends in a colon, and nothing follows that it announces")
            elif names_part and _SHOWING.isdisjoint(kinds) and points_elsewhere(text, language):
                yield Finding(at, text, "points at something that does not stand there")


def _names_part(said: Sequence[str], parts: Sequence[str], these: Sequence[str]) -> bool:
    """Return whether a sentence names a part of a text; "these figures" and "this article" are at hand."""
    return any(
        _is_word_of(word, parts) and not any(_is_word_of(each, these) for each in said[max(0, n - 2) : n])
        for n, word in enumerate(said)
    )


def _is_word_of(word: str, known: Sequence[str]) -> bool:
    return any(word == each or (each[-1] == "~" and word.startswith(each[:-1])) for each in known)


def dates_without_year(draft: Draft, evidence_of: Callable[[Sentence], str]) -> Iterator[Finding]:
    """Yield the sentences with a date that leaves out the year which their evidence gives it.

    A year in another sentence of the evidence may be another one: some dates come back every year.
    """
    for each in draft.statements:
        text = shown(each.sentence.text)
        heading = draft.parts[each.place.part].heading
        days = [date for date in dates(text) if date.day_or_year <= _LAST_DAY]
        beside = (heading, each.before, text, each.after, *each.header)
        if days and not any(map(_YEAR.search, beside)) and _dates_with_year(days, evidence_of(each.sentence)):
            yield Finding(each.place, text, "leaves out the year of its date")


def _dates_with_year(days: Sequence[Date], evidence: str) -> bool:
    """Return whether a sentence of the evidence has one of these days and a year."""
    asked = {(day.month, day.day_or_year) for day in days}
    return any(
        _YEAR.search(sentence) and asked & {(each.month, each.day_or_year) for each in dates(sentence)}
        for line in evidence.split("\n")
        for sentence in sentences(line)
    )


def unnamed_in_headings(draft: Draft, language: str) -> Iterator[Finding]:
    """Yield the headings that say "it" before they name anything; a question may: "What it costs …"."""
    data = language_data(language)
    pronouns, asking = frozenset(data.references.pronouns), frozenset(data.words.question_words)
    relative = frozenset(data.references.ends_on)  # "The sum that shows …" names the sum.
    for number, part in enumerate(draft.parts):
        said = words(part.heading)
        if (
            part.role == "question"
            or part.heading.endswith(QUESTION_MARKS)
            or {w.lower() for w in said[:1]} & asking
        ):
            continue
        found = next(
            (n for n, word in enumerate(said) if word in pronouns and not (n and word in relative)), None
        )
        if found is not None and len(topic_stems(" ".join(said[:found]), language)) <= 1:
            yield Finding(
                Place(number, WHOLE, WHOLE),
                part.heading,
                f"is a heading that says “{said[found]}” of nothing named",
            )


def unreachable_closing(draft: Draft, language: str) -> Iterator[Finding]:
    """Yield a finding if the closing says what to do, and not where."""
    number = next((n for n, part in enumerate(draft.parts) if part.role == "closing"), None)
    if number is None:
        return
    statements = [each for each in draft.statements if each.place.part == number]
    texts = [shown(each.sentence.text) for each in statements]
    has_mail, has_number = any(map(names_mail, texts)), any(map(names_telephone, texts))
    typed = [run for each in statements for run, _ in each.sentence.code]
    has_link = any(links_in(each.sentence.text) for each in statements) or any("://" in run for run in typed)
    if not (has_mail or has_number or has_link):
        advice = "is a closing without e-mail address, telephone number or link to take the next step"
        yield Finding(Place(number, WHOLE, WHOLE), draft.parts[number].heading or texts[0], advice)
        return
    style = language_data(language).style
    for each, text in zip(statements, texts, strict=True):
        said = {word.lower() for word in words(text)}
        if links_in(each.sentence.text) or each.sentence.code or _NUMBER.search(text):
            continue  # A number is that of a house, or of things to send.
        if said & style.sending and not has_mail:
            yield Finding(each.place, text, "asks to send something and the closing has no e-mail address")
        elif said & style.calling and not has_number:
            yield Finding(each.place, text, "asks to call and the closing has no telephone number")


def _paragraphs(draft: Draft) -> Iterator[tuple[Place, Paragraph]]:
    for number, part in enumerate(draft.parts):
        for position, paragraph in enumerate(part.paragraphs):
            yield Place(number, position, WHOLE), paragraph


def _mixed_column(table: Paragraph, language: str) -> str:
    """Return the name of a column with different units; none if each row has one unit."""
    rows = [[_kinds(cell, language) for cell in row.cells] for row in table.sentences]
    if len(table.header) <= _PLAIN_TABLE or all(_is_of_one_kind(row[1:]) for row in rows):
        return ""
    columns = zip(table.header, zip(*rows, strict=True), strict=True)
    return next((head for head, cells in columns if not _is_of_one_kind(cells)), "")


def _is_of_one_kind(cells: Sequence[frozenset[str]]) -> bool:
    return len({kind for cell in cells if len(cell) == 1 for kind in cell}) <= 1


def _kinds(cell: str, language: str) -> frozenset[str]:
    units = (each.unit for each in quantities(cell, language))
    return frozenset("money" if is_money(unit) else _KINDS.get(unit, unit) for unit in units if unit)
