"""A small site about keeping bees, as its pages would be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from bs4 import BeautifulSoup

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.drafts import WrittenPost
from app.content.request import GenerationRequest
from app.content.writing.digest.engine import write_extractive
from app.language.sentences import sentences
from app.language.words import fold
from app.pages.extraction.blocks import Block

Part = tuple[str, str]
SiteMaker = Callable[..., SourceSnapshot]
PageMaker = Callable[..., SourcePage]

HIVES: tuple[Part, ...] = (
    ("h1", "Beehives"),
    (
        "p",
        "A beehive is the box a colony of honey bees lives in, builds its combs in and stores its honey in.",
    ),
    ("p", "We use cookies to make this site work, and by reading on you accept all of our cookies."),
    ("h2", "Choosing a beehive"),
    ("p", "The Langstroth beehive holds 10 frames in each box and is the commonest beehive in the world."),
    ("p", "Beginners should take a beehive that many neighbours use: frames and tools can then be shared."),
    ("h2", "Where to put a beehive"),
    ("p", "A beehive stands best in the morning sun, with its back to the wind and water within 200 metres."),
    ("p", "Three things make a good place for a beehive:"),
    ("li", "The ground stays dry in winter and carries the weight of 60 kg of honey."),
    ("li", "The flight path does not cross a footpath or a playground."),
    ("li", "You can drive there with a car, because full boxes are heavy."),
    ("h2", "Painting a beehive"),
    ("p", "Paint only the outside of a beehive, with a water-based colour, and let it dry for two weeks."),
    ("p", "The table shown below lists colours that last."),
    ("h2", "Example"),
    ("code", "beehive --frames 10 --paint white\n"),
)
CARE: tuple[Part, ...] = (
    ("h1", "Caring for bees"),
    ("p", "We use cookies to make this site work, and by reading on you accept all of our cookies."),
    ("h2", "Opening a beehive"),
    (
        "p",
        "Open a beehive on a warm day without wind. Blow a little smoke into it: the bees stay calm.",
    ),
    ("p", "This is also explained in our course."),
    ("h2", "Weighing a beehive"),
    ("p", "Weigh the beehive every week in autumn and write the result down with this command:"),
    ("code", "scale read --unit kg\n"),
    ("p", "A beehive that loses more than 2 kg in a week has to be fed at once."),
    ("h2", "It depends"),
    ("p", "It depends on the beehive and on the weather, as every beekeeper in the village will tell you."),
)
FAQ: tuple[Part, ...] = (
    ("h1", "Frequently asked questions"),
    ("p", "We use cookies to make this site work, and by reading on you accept all of our cookies."),
    ("h2", "How much does a beehive cost?"),
    ("p", "A new wooden beehive with frames costs between 150 and 250 euros, and a used one about half."),
    ("h2", "Can I keep a beehive in a town?"),
    ("p", "Yes, a beehive does well in a town, because gardens flower from spring to autumn."),
)

COURSE: tuple[Part, ...] = (
    ("h1", "Course dates"),
    ("p", "The beehive course starts in May and takes place on 3 Saturdays in our garden in the village."),
)
TEAM: tuple[Part, ...] = (
    ("h1", "Our team"),
    ("p", "We are 4 people who love cooking and long walks in the hills."),
)


def page(page_id: int, path: str, parts: Sequence[Part], *, always_use: bool = False) -> SourcePage:
    """Return a page of (kind, text) parts, where h1 to h6 are headings."""
    path_of_headings: list[tuple[int, str]] = []
    blocks = []
    for number, (kind, text) in enumerate(parts):
        level = int(kind[1:]) if kind[0] == "h" and kind[1:].isdigit() else 0
        if level:
            path_of_headings = [above for above in path_of_headings if above[0] < level]
        headings = tuple(heading for _, heading in path_of_headings)
        blocks.append(Block(f"b{number}", "heading" if level else kind, text, headings))
        if level:
            path_of_headings.append((level, text))
    url = f"https://bees.example/{path}"
    return SourcePage(page_id, url, f"{path} | Bees", None, always_use, tuple(blocks))


def site(*pages: SourcePage, taken: frozenset[str] = frozenset()) -> SourceSnapshot:
    """Return the snapshot of a project with these pages."""
    return SourceSnapshot("Bee School", "https://bees.example/", {}, "en", tuple(pages), taken)


@pytest.fixture
def bees() -> SourceSnapshot:
    """Return the whole site."""
    return site(page(1, "hives", HIVES), page(2, "care", CARE), page(3, "faq", FAQ))


@pytest.fixture
def make_page() -> PageMaker:
    """Return the maker of pages."""
    return page


@pytest.fixture
def make_site() -> SiteMaker:
    """Return the maker of snapshots."""
    return site


@pytest.fixture
def school(bees: SourceSnapshot) -> SourceSnapshot:
    """Return the site about bees with a page on its course and one on its people."""
    return site(*bees.pages, page(4, "course", COURSE), page(5, "team", TEAM))


def write(snapshot: SourceSnapshot, **wanted: object) -> WrittenPost:
    """Return what the extractive engine writes from these pages for this request."""
    return write_extractive(GenerationRequest(**wanted), snapshot, lambda *_: None)  # type: ignore[arg-type]


def assert_traced(written: WrittenPost, snapshot: SourceSnapshot) -> None:
    """Every sentence shown is in the trace, and every one traced to a page stands there."""
    texts = {(page.page_id, block.id): fold(block.text) for page in snapshot.pages for block in page.blocks}
    for entry in written.post.trace:
        if entry.origin == "source":
            assert entry.page_id is not None
            assert entry.block_id is not None
            assert fold(entry.sentence) in texts[entry.page_id, entry.block_id]
        else:
            assert entry.origin in {"template", "input"}
    traced = " ".join(fold(entry.sentence) for entry in written.post.trace)
    soup = BeautifulSoup(written.post.html, "lxml")
    for element in soup.find_all(["p", "li", "h2", "h3", "pre"]):
        for sentence in sentences(element.get_text()):
            assert sentence in traced
