"""The sections of a post's main page that the post may quote, and what it quotes of a section. Pure."""

from typing import Final

from app.content.evidence.sections import PageSection, is_story, page_names
from app.content.retrieval.chapters import chapter_of, chapters_about, is_long
from app.content.retrieval.excerpts import Excerpt, excerpt
from app.content.retrieval.page_stems import opening_paragraph
from app.content.retrieval.passages import Library, TopicTerms
from app.content.retrieval.topic_words import mentions_any
from app.language.stems import content_stems

_SAYS_SOME: Final = 0.3


def is_main_section(
    section: PageSection, topic: str, terms: TopicTerms, main: int | None, library: Library
) -> bool:
    """Return whether a section of a post's main page, or of a page the caller chose, is about the topic.

    All sections of a chosen page are; of a collection of questions, those that say a word of it. A section of
    the main page is if the page's name, description or beginning or the section itself says a word of the
    topic. A long page, such as a reference, covers more than one topic, so there the section has to be in a
    chapter about it, or where no chapter can carry a post, to say a good part of it itself.
    """
    is_chosen = main is not None and section.page.page_id in library.chosen
    if is_chosen and not _asks(library, section.page.page_id):
        return True
    if not is_chosen and section.page.page_id != main:
        return False
    own = " ".join((section.heading, *(block.text for block in section.blocks)))
    if is_chosen:
        return mentions_any(topic, own, library.language)
    if chapters := chapters_about(library, topic, section.page.page_id):
        return chapter_of(section) in chapters
    if is_long(library, section.page.page_id):
        return terms.share(content_stems(f"{section.below_name} {own}", library.language)) >= _SAYS_SOME
    opening = opening_paragraph(section.page.blocks)
    named = " ".join((*page_names(section.page), section.page.description or "", opening))
    return mentions_any(topic, f"{named} {own}", library.language)


def _asks(library: Library, page_id: int) -> bool:
    return any(page.asks for page in library.page_stems if page.page_id == page_id)


def _may_say_i(section: PageSection, main: int | None) -> bool:
    """Return whether sentences in the first person may be quoted: on the ``main`` page, unless it is a story.

    On other pages "I" may come from a diary or from a customer.
    """
    return section.page.page_id == main and not is_story(section.page)


def quoted_beside(
    section: PageSection, words: int, language: str, main: int | None, *, answers: bool
) -> Excerpt | None:
    """Return what a post that follows the page ``main`` quotes of a section; see ``excerpt``."""
    return excerpt(
        section,
        words,
        language,
        answers=answers,
        may_say_i=_may_say_i(section, main),
        leads=_leads(section, main),
    )


def _leads(section: PageSection, main: int | None) -> bool:
    """Return whether a section is the beginning of the page that a post follows."""
    return section.position == 0 and section.page.page_id == main
