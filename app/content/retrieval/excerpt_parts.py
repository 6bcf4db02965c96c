"""The paragraphs of an excerpt: what can be quoted as a whole, and where they may end. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from app.content.drafts import Paragraph, ParagraphKind, Sentence
from app.content.evidence.sections import is_link_list
from app.content.retrieval.quotable import are_unfit, is_fragment, may_open
from app.language.references import announces_more, depends_on_previous, is_bare_pointer
from app.language.sentences import has_open_quotation, sentences
from app.language.stems import content_stems
from app.language.words import COLONS, extent, fold
from app.pages.extraction.blocks import Block

LEAST_WORDS: Final = 14
_ENOUGH: Final = 30
"""Words of an excerpt that is not given up for a longer one further down."""

LIST_WORDS: Final = 240
WHOLE_LIST_WORDS: Final = 280
"""A procedure without its last steps is none, and a list that is announced is what its section is about."""
_LIST_ITEMS: Final = 20


def cut_short(kept: Sequence[Sentence], language: str, above: str) -> Sequence[Sentence]:
    """Return sentences without those at the end that lead to what is left out, or quote a half of it.

    ``above`` is the heading.
    """
    kept = without_fragments(kept)
    while len(kept) > 1 and depends_on_previous(kept[-1].text, language, above):
        kept = kept[:-1]
    while kept and has_open_quotation(" ".join(each.text for each in kept)):
        kept = kept[:-1]
    return kept


def can_be_skipped(
    sentence: str, kept: Sequence[Sentence], after: str | None, language: str, above: str
) -> bool:
    """Return whether a sentence only sends the reader elsewhere, and nothing around it needs it.

    It stands between the ``kept`` ones and the one ``after`` it; ``above`` is the heading.
    """
    if not (kept and after) or not is_bare_pointer(sentence, language):
        return False
    leads_on = announces_more(kept[-1].text, language) or len(cut_short(kept, language, above)) < len(kept)
    # "It hums. Why? the bee …" would read as one sentence that stands nowhere.
    stay_two = sentences(f"{kept[-1].text} {after}") == [kept[-1].text, after]
    return not leads_on and stay_two and may_open(after, language, above)


def without_fragments(kept: Sequence[Sentence]) -> Sequence[Sentence]:
    """Return sentences without those at the end that lead to what is left out: "Important!"."""
    while kept and is_fragment(kept[-1].text):
        kept = kept[:-1]
    return kept


def without_dangling_end(paragraphs: list[Paragraph], language: str) -> list[Paragraph]:
    """Remove sentences at the end that announce something, or ask a question, without what follows."""
    while (
        paragraphs
        and paragraphs[-1].kind == "p"
        and announces_more(paragraphs[-1].sentences[-1].text, language)
    ):
        last = paragraphs[-1]
        paragraphs = [*paragraphs[:-1], *paragraph_of(last.kind, last.sentences[:-1])]
    return paragraphs


def chosen_part(
    parts: Sequence[list[Paragraph]],
    staying: Sequence[Paragraph],
    heading: str,
    language: str,
    *,
    leads: bool = False,
) -> list[Paragraph]:
    """Return the part of a section to quote: the first of 30 words, else the longest.

    A short first part that says what the heading says is the answer: it stays in front of that one. So does
    one that ``leads`` into a page. What is ``staying`` does so in the other parts, too, with its lead-in.
    """
    chosen = next((part for part in parts if extent_of(part) >= _ENOUGH), max(parts, key=extent_of))
    is_kept = leads or _answers(parts[0], heading, language)
    whole = [chosen, *(parts[:1] if is_kept else ())]
    return [
        each
        for part in parts
        for each in (part if _is_one_of(part, whole) else _with_lead_ins(part, staying))
    ]


def _is_one_of(sought: object, objects: Iterable[object]) -> bool:
    return any(sought is each for each in objects)


def _with_lead_ins(part: Sequence[Paragraph], staying: Sequence[Paragraph]) -> Iterator[Paragraph]:
    for at, paragraph in enumerate(part):
        if _is_one_of(paragraph, staying):
            before = part[at - 1].sentences[-1:] if at else ()
            yield from paragraph_of("p", [each for each in before if each.text.endswith(COLONS)])
            yield paragraph


def _answers(part: Sequence[Paragraph], heading: str, language: str) -> bool:
    """Return whether the first sentence of a part has most words of its heading."""
    asked = frozenset(content_stems(heading, language))
    if not part or part[0].kind != "p":
        return False
    return 2 * len(asked.intersection(content_stems(part[0].sentences[0].text, language))) > len(asked)


def paragraph_of(kind: ParagraphKind, kept: Sequence[Sentence]) -> list[Paragraph]:
    return [Paragraph(kind, tuple(kept))] if kept else []


def extent_of(paragraphs: Sequence[Paragraph]) -> int:
    """Return how much there is to read; a listing is none of it."""
    return sum(extent(s.text) for p in paragraphs if p.kind != "code" for s in p.sentences)


def code_lines_in(paragraphs: Sequence[Paragraph]) -> int:
    return sum(p.sentences[0].text.count("\n") + 1 for p in paragraphs if p.kind == "code")


def is_quotable_list(run: Sequence[Block], most: int, language: str) -> bool:
    """Return whether a list of up to ``most`` words can be quoted as a whole, without what it may lead to."""
    texts = [fold(block.text) for block in run]
    return (
        1 < len(texts) <= _LIST_ITEMS
        and len({block.lists for block in run}) == 1
        and sum(map(extent, texts)) <= most
        and not is_link_list(run)
        and not are_unfit([[text] for text in texts], language)
        and not any(text.endswith(COLONS) for text in texts)
    )


def unfolded(
    run: Sequence[Block], kind: ParagraphKind, language: str
) -> list[tuple[ParagraphKind, Sequence[Block]]]:
    """Return a list whose items lead to others, or to what follows it, as paragraphs with lists between them.

    "Tested cards:" is a paragraph above the list inside its item. Nothing is left out, so there is nothing if
    an item cannot be quoted, if two lists would read as one or an item as the beginning of its neighbours, or
    if steps would lose their numbers.
    """
    texts = [fold(block.text) for block in run]
    is_fitting = kind == "ul" and sum(map(extent, texts)) <= WHOLE_LIST_WORDS and not is_link_list(run)
    if not is_fitting or any(are_unfit([[text]], language) for text in texts):
        return []
    found: list[tuple[ParagraphKind, list[Block]]] = []
    for block, text in zip(run, texts, strict=True):
        last = found[-1][1][-1] if found else None
        part: ParagraphKind = "ol" if block.lists.endswith("o") else "ul"
        if text.endswith(COLONS):
            found.append(("p", [block]))
        elif last is None or (found[-1][0] == "p" and len(block.lists) > len(last.lists)):
            found.append((part, [block]))
        elif found[-1][0] != "p" and last.lists == block.lists:
            found[-1][1].append(block)
        else:
            return []
    return [*found] if any(kind == "p" for kind, _ in found) else []
