"""Title, search title, description and slug of a post, each within its length."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from ipaddress import ip_address
from typing import Final

from anyascii import anyascii

from app.content.planning.queries import asks_behind, ended, in_parts
from app.language.languages import language_data
from app.language.sentences import join_sentences
from app.language.words import QUESTION_MARKS, capitalised, fold, is_unspaced, width, word_count, words

META_TITLE_LENGTH: Final = (30, 60)
META_TITLE_PIXELS: Final = 600
DESCRIPTION_LENGTH: Final = (70, 156)
SLUG_PATTERN: Final = re.compile(r"[a-z0-9-]{1,80}")
_WIDTHS: Final = (
    ("ijl'|", 4.4),
    (" .,:;!ft/\\I[]()-", 6.1),
    ("ABEKPSVXY&", 13.3),
    ("CDHNRUGOQw", 14.6),
    ("mM%", 16.7),
    ("W@", 19.0),
)
_LETTER_PIXELS: Final = 11.1
_SLUG_LIMIT: Final = 80
_SHORT_TITLE_WORDS: Final = 2
_BAR: Final = "|"
"""Stands before the name of a site in search results, and not in the title of a post."""
_ENDS: Final = (".", "!", "…", "。", "！", *QUESTION_MARKS)
_CLOSING: Final = f".! {''.join(QUESTION_MARKS)}"
_BEFORE_THE_VERB: Final = 4
"""Words of a question among which its auxiliary is: "How much money does …"."""

_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def make_title(topic: str, project: str, language: str) -> str:
    """Return the topic as a title, a question with its mark; one or two words with the project's name."""
    typed = fold(topic)
    said = in_parts(typed, language)
    subject = capitalised(ended(said, language) if said == typed else said)
    table = language_data(language).phrases
    asks = is_asked(subject, language) or (said != typed and asks_behind(said, language))
    if table and asks and not subject.endswith(_ENDS):
        return capitalised(table.asked.format(question=subject))
    if word_count(subject) > _SHORT_TITLE_WORDS:
        return subject
    return _filled_up(subject, project, (line for line in _lines(language) if _BAR not in line))


def is_asked(topic: str, language: str) -> bool:
    """Return whether a topic is a question, with or without its mark: "What customers say" is none."""
    said = [word.lower() for word in words(topic)]
    if topic.rstrip().endswith(QUESTION_MARKS):
        return True
    table = language_data(language).words
    if len(said) <= 2 or said[0] not in table.question_words or said[1] in table.after_question_words:
        return False
    return not table.auxiliaries or not table.auxiliaries.isdisjoint(said[:_BEFORE_THE_VERB])


def _lines(language: str) -> Sequence[str]:
    """Return the lines that make a title of a topic and the name of a project."""
    table = language_data(language).phrases
    return table.titles if table else ()


def _filled_up(subject: str, project: str, lines: Iterable[str]) -> str:
    """Return a subject, in the first of the lines whose length suits a title if it is too short itself."""
    if _is_address(project):
        return subject
    named = subject.rstrip(_CLOSING)
    made = [subject, *(line.format(topic=named, project=project) for line in lines)]
    return _first_within(made, META_TITLE_LENGTH) or subject


def _is_address(project: str) -> bool:
    """Return whether a project is named after an IP address, which means nothing to readers."""
    try:
        ip_address(project.strip("[]"))
    except ValueError:
        return False
    return True


def make_meta_title(title: str, project: str, language: str) -> str:
    """Return the title for search results: at most 60 characters, at least 30 where words allow it."""
    filled = title if width(title) >= META_TITLE_LENGTH[0] else _filled_up(title, project, _lines(language))
    return cut(filled, META_TITLE_LENGTH[1])


def pixel_width(text: str) -> int:
    """Return about how wide a search result shows a title: Arial of 20 pixels, by classes of letters."""
    return round(sum(next((wide for of, wide in _WIDTHS if mark in of), _LETTER_PIXELS) for mark in text))


def make_description(
    topic: str,
    project: str,
    language: str,
    quotes: Iterable[str],
    headings: Sequence[str] = (),
    keyphrase: str = "",
) -> str:
    """Return 70 to 156 characters: a quote, a cut one, the topic with the post's headings, else a template.

    Search results show up to 156 characters. Headings that repeat the keyphrase are named once at most.
    """
    whole = list(quotes)
    quoted = _first_within(whole, DESCRIPTION_LENGTH) or _shortened(whole)
    subject = capitalised(cut(topic.rstrip(_CLOSING), META_TITLE_LENGTH[1]))
    covered = _covering(subject, headings, keyphrase.lower() or subject.lower())
    table = language_data(language).phrases
    made = [line.format(topic=subject, project=project) for line in table.descriptions] if table else []
    found = quoted or _first_within([covered, *made], DESCRIPTION_LENGTH)
    return found or cut(join_sentences(whole) or next(iter(made), topic), DESCRIPTION_LENGTH[1])


def _shortened(quotes: Sequence[str]) -> str | None:
    """Return the first quote that is too long, cut between words."""
    return next((cut(q, DESCRIPTION_LENGTH[1]) for q in quotes if width(q) > DESCRIPTION_LENGTH[1]), None)


def _covering(subject: str, headings: Sequence[str], keyphrase: str) -> str:
    """Return the subject with as many headings as fit; without any, nothing.

    Headings that repeat the subject or end like a sentence are left out.
    """
    named: list[str] = []
    for heading in headings:
        repeats = keyphrase in heading.lower() and any(keyphrase in each.lower() for each in named)
        repeats = repeats or heading.lower() == subject.lower()
        longer = f"{subject}: {', '.join([*named, heading])}."
        if not repeats and not heading.endswith(_ENDS) and width(longer) <= DESCRIPTION_LENGTH[1]:
            named.append(heading)
    return f"{subject}: {', '.join(named)}." if named else ""


def make_outline_description(topic: str, project: str, language: str) -> str:
    """Return the description of an outline, at most 156 characters; it promises questions, no answers."""
    table = language_data(language).phrases
    line = table.outline_description if table else "{topic}"
    named = cut(topic.rstrip(_CLOSING), META_TITLE_LENGTH[1])
    return cut(line.format(topic=named, project=project), DESCRIPTION_LENGTH[1])


def make_slug(title: str, taken: Collection[str], language: str = "") -> str:
    """Return a free slug of a-z, 0-9 and hyphens, at most 80 long; ``post`` when nothing can be spelled so.

    Other scripts are transliterated, each Chinese character by itself.
    """
    lowered = unicodedata.normalize("NFC", title.lower())
    for letter, letters in language_data(language).words.spelled.items():
        lowered = lowered.replace(letter, letters)
    latin = anyascii(_HAN.sub(lambda found: f" {anyascii(found[0])} ", lowered)).lower()
    parts = re.findall(r"[a-z0-9]+", latin.replace("'", "").replace("’", ""))
    base = _cut_slug("-".join(parts), _SLUG_LIMIT) or "post"
    slug, number = base, 1
    while slug in taken:
        number += 1
        suffix = f"-{number}"
        slug = _cut_slug(base, _SLUG_LIMIT - len(suffix)) + suffix
    return slug


def cut(text: str, limit: int) -> str:
    """Return at most ``limit`` columns, cut between words, with an ellipsis when something is missing."""
    if width(text) <= limit:
        return text
    end = limit - 1
    while width(text[:end]) > limit - 1:
        end -= 1
    head = text[:end]
    whole = text[end].isspace() or is_unspaced(text[end - 1 : end + 1])
    kept = head if whole else (head.rsplit(None, 1) or [head])[0]
    return kept.rstrip(" ,;:-–—|") + "…"


def _cut_slug(slug: str, limit: int) -> str:
    if len(slug) <= limit:
        return slug
    whole_words = slug[: limit + 1].rpartition("-")[0]
    return whole_words or slug[:limit]


def _first_within(texts: Iterable[str], bounds: tuple[int, int]) -> str | None:
    return next((text for text in texts if bounds[0] <= width(text) <= bounds[1]), None)
