"""Excerpts: the contiguous run from the start of a section that can stand alone on another page.

An excerpt is verbatim. It ends where the text begins to point elsewhere ("see below"), where it would break a
list or a listing in two, or where its words are used up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from app.content.artefacts import Paragraph, ParagraphKind, Sentence, SourceBlock
from app.content.evidence.ids import evidence_id
from app.content.evidence.sections import PageSection, is_link_list
from app.content.language.beginnings import begin_alike
from app.content.language.lexicon import lexicon
from app.content.language.lexicon_table import Lexicon, phrase_list
from app.content.language.text import ends_like_a_sentence, extent, fold, is_unspaced, sentences, word_count
from app.content.rendering.markdown import looks_active

_COLONS: Final = (":", "：")
_LIST_ITEMS: Final = 10
_CODE_LINES: Final = 15
_LONGEST_SENTENCE: Final = 60
_LEAST_WORDS: Final = 14
_LEAST_ANSWER_WORDS: Final = 8
_LABEL_WORDS: Final = 8
_UNFIT: Final = re.compile(
    r"\[\d+\]|\[citation needed\]|^\W*$|https?://\S+$|\w@\w[\w-]*\.\w|\{\{|\[\[page:|lorem ipsum"
    r"|\[(?:insert|todo|tbd)\b"
    r"|\b(?:chapter|section|figure|fig\.|table|appendix|step|example|listing) (?:\d|[A-Z]\b)"
    r"|\b(?:kapitel|abschnitt|abbildung|abb\.|tabelle|anhang|beispiel|schritt|chapitre|tableau|annexe|exemple"
    r"|étape|cap[ií]tulo|secci[óo]n|figura|tabla|ejemplo|paso|capitolo|sezione|tabella|esempio|secção|seção"
    r"|tabela|exemplo|hoofdstuk|sectie|paragraaf|figuur|tabel|bijlage|voorbeeld) \d"
    r"|\w[¹²³⁴⁵⁶⁷⁸⁹⁰]|\w[*†‡](?=[\s.,]|$)|\.\.\.$"
    r"|\b(?:approach|command|formula|function|method|output|procedure|program|quer(?:y|ies)|script|snippet"
    r"|statement)s? (?:below|above)\b"
    r"|\bprevious (?:elements?|notes?|paragraphs?|points?|warnings?)\b|[\"”’] (?:above|below)\b"
    r"|\bsee the [\w ]{1,40}pages?\b|\bsee \S.{0,40}\b(?:above|below)\b|(?-i:\(see [A-Z][\w/ -]*\))",
    re.IGNORECASE,
)
"""Footnote marks, addresses, placeholders, parts of a book or a page: none of it can stand elsewhere."""
_VERSION_NOTE: Final = re.compile(
    r"(?:changed|new|added|deprecated|removed) (?:in|since) version [\w.]+", re.IGNORECASE
)
_MAILBOX: Final = re.compile(r"<[^<>\s@]+@[^<>\s@]+\.\w+>")
_AHEAD: Final = frozenset(
    phrase_list(
        "the following,as follows,given below,listed below,shown below,described below,steps below,"
        "example below,folgenden,folgende,suivants,suivantes,ci-dessous,siguientes,siguiente,a continuación,"
        "seguenti,seguente,di seguito,seguintes,seguinte,a seguir,volgende,hieronder"
    )
)
"""Pointers that before a colon mean no more than what comes next."""
_ALONE: Final = re.compile(r"(?<![\w/.-])[^\W\d_]+(?![\w/-])")


@dataclass(frozen=True)
class Excerpt:
    """The run taken from one section and its number of words."""

    section: PageSection
    paragraphs: tuple[Paragraph, ...]
    words: int

    @property
    def block_ids(self) -> tuple[str, ...]:
        """The evidence ids of the blocks quoted, in reading order."""
        ids = (s.source_ids[0] for paragraph in self.paragraphs for s in paragraph.sentences)
        return tuple(dict.fromkeys(ids))

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences quoted, in reading order."""
        return tuple(sentence for paragraph in self.paragraphs for sentence in paragraph.sentences)

    @property
    def text(self) -> str:
        """The quoted words as one string."""
        return " ".join(s.text for paragraph in self.paragraphs for s in paragraph.sentences)


def excerpt(section: PageSection, budget: int, language: str, *, answers: bool = False) -> Excerpt | None:
    """Return the opening run of a section within ``budget`` words, or None when nothing in it stands alone.

    ``answers`` allows an opening that leans on the heading, as an answer leans on its question ("Yes, …").
    """
    table = lexicon(language)
    taken: list[Paragraph] = []
    for kind, grouped in groupby(section.blocks, key=_run_kind):
        blocks = list(grouped)
        words_left, lines_left = budget - _extent_of(taken), _CODE_LINES - _code_lines_in(taken)
        if kind == "p":
            paragraphs, whole = _prose(section, blocks, words_left, language, taken, answers=answers)
        elif taken and kind == "li":
            paragraphs, whole = _list(section, blocks, words_left, table)
        elif taken and kind == "code":
            paragraphs, whole = _listing(section, blocks, lines_left)
        else:
            break
        taken += paragraphs
        if not whole:
            break
    taken = _without_dangling_end(taken, table)
    least = _LEAST_ANSWER_WORDS if answers else _LEAST_WORDS
    if _extent_of(taken) < least:
        return None
    told = (s.text for p in taken if p.kind != "code" for s in p.sentences)
    return Excerpt(section, tuple(taken), sum(map(word_count, told)))


def _run_kind(block: SourceBlock) -> str:
    return block.kind if block.kind in {"p", "li", "code"} else "other"


def _prose(
    section: PageSection,
    blocks: Sequence[SourceBlock],
    budget: int,
    language: str,
    before: Sequence[Paragraph],
    *,
    answers: bool,
) -> tuple[list[Paragraph], bool]:
    """Return the paragraphs that may be quoted and whether the run was taken to its end."""
    found: list[Paragraph] = []
    opening = not (before or answers)
    for number, block in enumerate(blocks, 1):
        kept: list[Sentence] = []
        told = sentences(block.text)
        if _VERSION_NOTE.match(block.text) or (opening and not found and _is_label(told)):
            continue
        for sentence in told:
            first = opening and not found and not kept
            # What a colon announces is a list or a listing after the run; a picture in between is lost.
            lost = sentence.endswith(_COLONS) and (sentence is not told[-1] or number < len(blocks))
            lost = lost or _is_monotonous([*before, *found, *_paragraph("p", kept)], sentence)
            if lost or not _quotable(sentence, language, first=first) or budget < extent(sentence):
                return [*found, *_paragraph("p", kept)], False
            budget -= extent(sentence)
            kept.append(Sentence(sentence, (evidence_id(section.page.page_id, block.id),), "source"))
        found += _paragraph("p", kept)
    return found, True


def _is_label(told: Sequence[str]) -> bool:
    """Tell whether a paragraph is a line of data, as "Source code: Lib/abc.py", or a caption: no sentence."""
    alone = len(told) == 1 and not (ends_like_a_sentence(told[0]) or told[0].endswith(_COLONS))
    return alone and extent(told[0]) <= _LABEL_WORDS


def _is_monotonous(taken: Sequence[Paragraph], sentence: str) -> bool:
    """Tell whether a sentence would be the third in a row that begins alike, after enough to end there."""
    told = [each.text for paragraph in taken if paragraph.kind != "code" for each in paragraph.sentences][-2:]
    return len(told) == 2 and _extent_of(taken) >= _LEAST_WORDS and begin_alike([*told, sentence])


def _list(
    section: PageSection, blocks: Sequence[SourceBlock], words_left: int, table: Lexicon
) -> tuple[list[Paragraph], bool]:
    """Return a list without inner ones as a whole, or nothing of it."""
    texts = [fold(block.text) for block in blocks]
    fits = (
        1 < len(texts) <= _LIST_ITEMS
        and len({block.lists for block in blocks}) == 1
        and sum(map(extent, texts)) <= words_left
        and not is_link_list(blocks)
        and not any(
            _UNFIT.search(text)
            or _points_elsewhere(text, table)
            or looks_active(text)
            or text.endswith(_COLONS)
            for text in texts
        )
    )
    if not fits:
        return [], False
    page_id = section.page.page_id
    items = [
        Sentence(text, (evidence_id(page_id, block.id),), "source")
        for text, block in zip(texts, blocks, strict=True)
    ]
    return _paragraph("ol" if blocks[0].lists.endswith("o") else "ul", items), True


def _listing(
    section: PageSection, blocks: Sequence[SourceBlock], lines_left: int
) -> tuple[list[Paragraph], bool]:
    """Return one code block as a whole, or nothing of it."""
    code = blocks[0].text.strip("\n")
    if len(blocks) > 1 or not code.strip() or looks_active(code) or code.count("\n") >= lines_left:
        return [], False
    if _MAILBOX.search(code):
        return [], False
    sentence = Sentence(code, (evidence_id(section.page.page_id, blocks[0].id),), "source")
    return [Paragraph("code", (sentence,))], True


def _quotable(sentence: str, language: str, *, first: bool) -> bool:
    if not _stands_alone(sentence, language):
        return False
    return not (first and (_leans_back(sentence, lexicon(language)) or extent(sentence) < 4))


@lru_cache(maxsize=4096)
def _stands_alone(sentence: str, language: str) -> bool:
    """Tell whether a sentence may be quoted; asked several times for a post, with other lengths in mind."""
    table = lexicon(language)
    if _UNFIT.search(sentence) or looks_active(sentence) or _points_elsewhere(sentence, table):
        return False
    if extent(sentence) > _LONGEST_SENTENCE or _is_spoken(sentence, table):
        return False
    return ends_like_a_sentence(sentence) or sentence.endswith(_COLONS)


def _is_spoken(sentence: str, table: Lexicon) -> bool:
    """Tell whether one person speaks: a comment, a testimonial, a story. A post is nobody's "I"."""
    return not set(table.speakers).isdisjoint(_ALONE.findall(sentence))


def _leans_back(sentence: str, table: Lexicon) -> bool:
    lowered = sentence.lower().lstrip("\"'“„‘«»(「『")
    return any(_begins_with(lowered, opener) for opener in table.openers)


def _begins_with(text: str, opener: str) -> bool:
    """Tell whether a text begins with a word; where no blank ends it, anything may follow."""
    rest = text[len(opener) :]
    return text.startswith(opener) and (is_unspaced(opener) or not re.match(r"\w", rest))


def _points_elsewhere(text: str, table: Lexicon) -> bool:
    lowered = text.lower()
    passed_over = _AHEAD if text.endswith(_COLONS) else frozenset()
    told = (pointer in lowered for pointer in table.pointers if pointer not in passed_over)
    return lowered.startswith(table.pointing_openers) or any(told)


def _without_dangling_end(paragraphs: list[Paragraph], table: Lexicon) -> list[Paragraph]:
    """Cut sentences from the end that announce something which was not taken, or ask what is not answered."""
    while paragraphs and paragraphs[-1].kind == "p" and _announces(paragraphs[-1].sentences[-1].text, table):
        last = paragraphs[-1]
        paragraphs = [*paragraphs[:-1], *_paragraph(last.kind, list(last.sentences[:-1]))]
    return paragraphs


def _announces(sentence: str, table: Lexicon) -> bool:
    lowered = sentence.lower()
    return lowered.endswith((":", "?", "？", "：")) or lowered.startswith(table.announcers)


def _paragraph(kind: ParagraphKind, kept: list[Sentence]) -> list[Paragraph]:
    return [Paragraph(kind, tuple(kept))] if kept else []


def _extent_of(paragraphs: Sequence[Paragraph]) -> int:
    """Return how much there is to read; a listing is none of it."""
    return sum(extent(s.text) for p in paragraphs if p.kind != "code" for s in p.sentences)


def _code_lines_in(paragraphs: Sequence[Paragraph]) -> int:
    return sum(p.sentences[0].text.count("\n") + 1 for p in paragraphs if p.kind == "code")
