"""Parts of a page in another language than the page itself: half-translated documentation. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.content.artefacts import SourcePage
from app.language.detection import language_of
from app.language.languages import language_data
from app.language.tags import language_code
from app.language.words import words

FOREIGN: Final = "foreign"
"""The kind of a block that no post in the page's language quotes; a run of text ends there."""
_PROSE: Final = frozenset({"p", "li", "quote", "dd"})
_OWN_SHARE: Final = 0.2


def marked_foreign(pages: Sequence[SourcePage], language: str) -> tuple[SourcePage, ...]:
    """Return the pages with their blocks in clearly another language marked as foreign.

    A page that is not in the post's language as a whole stays as it is: then the language does not matter.
    """
    return tuple(_marked(page, language) for page in pages)


def _marked(page: SourcePage, language: str) -> SourcePage:
    foreign = {
        block.id for block in page.blocks if block.kind in _PROSE and _is_foreign(block.text, language)
    }
    if not foreign or _is_foreign("\n".join(b.text for b in page.blocks if b.kind in _PROSE), language):
        return page
    blocks = (replace(b, kind=FOREIGN) if b.id in foreign else b for b in page.blocks)
    return replace(page, blocks=tuple(blocks))


def _is_foreign(text: str, language: str) -> bool:
    """Return whether a text is clearly in another language; one with enough of its small words is not."""
    own = language_data(language).words.stopwords
    found = words(text)
    if not found or sum(word.lower() in own for word in found) >= _OWN_SHARE * len(found):
        return False
    return language_code(language_of(language, text) or language) != language_code(language)
