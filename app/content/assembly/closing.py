"""The line that ends a post: the caller's call to action, else in a digest the site's own button. Pure."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.content.artefacts import SourcePage, evidence_id, page_of
from app.content.assembly.body import Body
from app.content.assembly.tracing import from_input, from_page
from app.content.drafts import PostSource
from app.content.rendering.markdown import link
from app.content.request import GenerationRequest
from app.infra.urls import page_address
from app.language.words import fold, words
from app.pages.extraction.furniture import LABEL, is_more

_LEAST_PAGES: Final = 3
"""Pages that have a button for which the site stands as a whole."""


@dataclass(frozen=True)
class Button:
    """A button of the site: its words, where it leads, and the evidence id of one of its blocks."""

    text: str
    url: str
    source: str


def write_closing(
    body: Body,
    request: GenerationRequest,
    pages: Collection[SourcePage],
    sources: Sequence[PostSource],
    *,
    is_digest: bool,
) -> None:
    """Write the call to action; where nobody chose or declined one, a digest quotes the site's button."""
    if request.call_to_action:
        asked = request.call_to_action
        body.add(link(asked.text, asked.url), from_input(asked.text))
        return
    may_quote = is_digest and request.most_links > 0 and "call_to_action" not in request.declined
    button = usual_button(pages, [source.page_id for source in sources]) if may_quote else None
    if button:
        body.add(link(button.text, button.url), from_page(button.text, button.source))


def usual_button(pages: Collection[SourcePage], quoted: Collection[int] = ()) -> Button | None:
    """Return the button that most pages have, None where no three have the same one.

    It leads to one of the pages, or to another site from a page that the post quotes.
    """
    live = {page_address(page.url) for page in pages}
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for text, url, source in _buttons(pages):
        found[text, url].append(source)
    for (text, url), sources in sorted(found.items(), key=lambda each: -len({*map(page_of, each[1])})):
        vouched = next((each for each in sources if page_of(each) in quoted), None)
        known = sources[0] if page_address(url) in live else vouched
        if len({*map(page_of, sources)}) >= _LEAST_PAGES and known:
            return Button(text, url, known)
    return None


def _buttons(pages: Iterable[SourcePage]) -> Iterator[tuple[str, str, str]]:
    for page in pages:
        for block in page.blocks:
            links = (*block.own_links, *block.links) if block.kind == LABEL else ()
            if links and _is_whole(links[0].anchor, block.text) and not is_more(fold(block.text)):
                yield fold(block.text), links[0].url, evidence_id(page.page_id, block.id)


def _is_whole(anchor: str, text: str) -> bool:
    """Return whether a link is all words of its line: of the line "Home › Features" only "Home" is one."""
    return words(anchor) == words(text)
