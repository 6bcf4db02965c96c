"""The pieces of a page's text as the traversal finds them. Pure."""

from typing import Final, NamedTuple

from app.pages.extraction.blocks import Block, unnumbered

LINES: Final = frozenset({"p", "li", "dt", "dd"})


class Found(NamedTuple):
    """A piece of text, with its level if it is a heading. An empty heading ends the sections of its level.

    ``leads``: the heading is only a link to another page of the site, or the line nothing but links.
    ``leads_on``: all links of such a line are to pages of the site. ``has_more``: at the end of the line was
    a link that only says that there is more.
    """

    piece: Block
    level: int = 0
    leads: bool = False
    leads_on: bool = False
    has_more: bool = False


END: Final = Found(unnumbered("heading", ""), 1)
