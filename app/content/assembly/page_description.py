"""The description that a page gives of itself, for a post that is mostly made from it. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from app.content.artefacts import DESCRIPTION, SourcePage, SourceSnapshot, evidence_id, page_of
from app.content.drafts import SectionDraft
from app.content.planning.titles import DESCRIPTION_LENGTH
from app.content.rendering.markdown import looks_active
from app.language.sentences import ends_like_a_sentence, join_sentences, sentences
from app.language.stems import content_stems
from app.language.words import fold, width, word_count

_CUT: Final = ("...", "…")
_HALF: Final = 0.5


def lead_page(
    drafts: Sequence[SectionDraft], snapshot: SourceSnapshot, least: float = _HALF
) -> tuple[SourcePage | None, float]:
    """Return the page that gives this share of the words of the sections or more, and its share.

    It is None if no page does.
    """
    given: Counter[int] = Counter()
    for sentence in (each for draft in drafts for p in draft.paragraphs for each in p.sentences):
        page_id = page_of(sentence.source_ids[0]) if sentence.source_ids else 0
        given[page_id] += word_count(sentence.text)
    shares = ((page, given[page.page_id] / max(1, given.total())) for page in snapshot.pages)
    return next(((page, share) for page, share in shares if share >= least), (None, 0.0))


def own_description(
    page: SourcePage | None, drafts: Sequence[SectionDraft], snapshot: SourceSnapshot, language: str
) -> tuple[tuple[str, str], ...]:
    """Return a page's description with its source if it can describe a post, else nothing.

    The post says a third of its words, so it is in the post's language, and no other page has it: one for the
    whole site says nothing of a page.
    """
    text = _whole_sentences(page.description or "") if page else ""
    if page is None or not text or looks_active(text) or not _is_kept(text, drafts, language):
        return ()
    is_shared = (
        sum(fold(each.description or "") == fold(page.description or "") for each in snapshot.pages) > 1
    )
    return () if is_shared else ((text, evidence_id(page.page_id, DESCRIPTION)),)


def _is_kept(text: str, drafts: Sequence[SectionDraft], language: str) -> bool:
    """Return whether a post says a third of the words of a description or more: it promises what is there."""
    promised = set(content_stems(text, language))
    sentences_of = (each.text for draft in drafts for p in draft.paragraphs for each in p.sentences)
    said = set(content_stems(" ".join([*(draft.heading for draft in drafts), *sentences_of]), language))
    return 3 * len(promised & said) >= len(promised)


def _whole_sentences(description: str) -> str:
    """Return as many sentences of a description as search results show, "" if the page cuts it short."""
    shown = ""
    for sentence in sentences(description):
        longer = join_sentences([shown, sentence])
        if width(longer) > DESCRIPTION_LENGTH[1]:
            break
        shown = longer
    is_whole = shown == fold(description) or ends_like_a_sentence(shown)
    return shown if is_whole and not shown.endswith(_CUT) else ""
