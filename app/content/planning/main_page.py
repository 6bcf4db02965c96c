"""Which pages a post on a topic is about, and which of them the post follows. Pure."""

from app.content.artefacts import Intent
from app.content.retrieval.answers import answering_section, offers_choice
from app.content.retrieval.coverage import TopicCoverage, priced_pages
from app.content.retrieval.passages import Library


def pages_about(
    topic: str, intent: Intent, coverage: TopicCoverage, library: Library
) -> tuple[tuple[int, ...], int | None]:
    """Return the pages about a topic, the best first, and the one that a post can follow from its beginning.

    The page with a section that answers the topic comes first, and of a topic that asks for a price the page
    of prices. No post follows a collection of questions, nor another page where one of them is the answer.
    Where the pages do not cover the topic, there are none.
    """
    if coverage.level == "absent":
        return coverage.about, None
    pages = library.page_stems
    first = _first(topic, intent, coverage, library)
    about = tuple(dict.fromkeys([*first, *coverage.about]))
    unfollowed = {page.page_id for page in pages if page.asks or page.is_service}
    if intent != "buy" and unfollowed.intersection(first):
        return about, None
    return about, next((page_id for page_id in about if page_id not in unfollowed), None)


def _first(topic: str, intent: Intent, coverage: TopicCoverage, library: Library) -> list[int]:
    if intent == "buy" and coverage.about:
        priced = priced_pages(topic, library.page_stems, library.language)
        own = [page_id for page_id in priced if page_id in coverage.about]
        # "By card or by transfer: how to pay fees" asks for no price.
        return own[:2] if offers_choice(topic, library.language) else [*own, *priced][:2]
    answer = answering_section(topic, library)
    return [answer.page.page_id] if answer else []
