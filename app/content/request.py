"""What a generation is asked for: the validated input of both engines, defaults filled. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from app.content.artefacts import Artefact, DraftKind
from app.content.plan import PostPlan
from app.language.words import is_unspaced

PostType = Literal["auto", "guide", "how_to", "list", "comparison", "faq", "hub"]
POST_TYPES: Final[tuple[str, ...]] = get_args(PostType)

CLEARABLE: Final = ("audience", "instructions", "avoid", "call_to_action", "required_page_ids")
"""Members that the project fills when they are left out, and that are none at all when null or empty."""

LENGTHS: Final = {"short": 500, "medium": 900, "long": 1600}
MOST_KEYWORDS: Final = 10
MOST_CHOSEN: Final = 5
"""Pages that a caller may keep a post to and thereby say that they are about its topic."""
FEWEST_WORDS: Final = 200
MOST_WORDS: Final = 3000

SHORTEST_TOPIC: Final = 3
"""Characters, of scripts in which a character is no word."""
LONGEST_TOPIC: Final = 200

MOST_LINKS: Final = 15
_LINKS_BY_WORDS: Final = ((700, 2), (1300, 3))
_LINKS_OF_LONG: Final = 4


def is_topic(line: str) -> bool:
    """Return whether a line is long enough to be a topic, and not too long."""
    least = 1 if is_unspaced(line) else SHORTEST_TOPIC
    return least <= len(line) <= LONGEST_TOPIC


@dataclass(frozen=True)
class CallToAction(Artefact):
    """The caller's closing invitation: its words and where they lead."""

    text: str
    url: str


@dataclass(frozen=True)
class RequestedSection(Artefact):
    """A section that the caller wants, the points it has to make, and the evidence a plan names for it."""

    heading: str
    key_points: tuple[str, ...] = ()
    evidence_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Include(Artefact):
    """Which parts a post has besides its sections."""

    faq: bool = True
    table_of_contents: bool = False
    key_takeaways: bool = False
    json_ld: bool = True
    sources: bool = False


@dataclass(frozen=True)
class LinkBounds:
    """The bounds of internal links that a caller set; ``fewest`` None leaves the lower one to the length."""

    fewest: int | None = None
    most: int = MOST_LINKS

    def least(self, words: int) -> int:
        """Return how many pages of the project a text should link: as asked, else 2, 3 or 4 by its words."""
        if self.fewest is not None:
            return self.fewest
        by_length = next((links for below, links in _LINKS_BY_WORDS if words < below), _LINKS_OF_LONG)
        return min(self.most, by_length)


DEFAULT_LINK_BOUNDS: Final = LinkBounds()


@dataclass(frozen=True)
class GenerationRequest(Artefact):
    """The validated input of one generation, defaults filled; ``target_words`` counts Unicode words.

    ``key_points`` are facts the caller vouches for. ``plan`` is the caller's own plan, ``outline`` its
    sections. ``fewest_links`` and ``most_links`` bound the internal links; None leaves the lower bound to the
    length. ``from_project`` names the members that the caller left out and the project filled, ``declined``
    those that the caller set to nothing. ``length_asked`` says whether ``target_words`` is the caller's.
    ``chosen_page_ids`` are a few pages that the caller keeps the post to: they are about the topic, in
    whichever words.
    """

    topic: str | None = None
    title: str | None = None
    keywords: tuple[str, ...] = ()
    target_words: int = LENGTHS["medium"]
    language: str = "en"
    post_type: PostType = "auto"
    audience: str | None = None
    tone: str = "neutral"
    instructions: str = ""
    key_points: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    call_to_action: CallToAction | None = None
    outline: tuple[RequestedSection, ...] = ()
    plan: PostPlan | None = None
    include: Include = Include()
    fewest_links: int | None = None
    most_links: int = MOST_LINKS
    slug: str | None = None
    required_page_ids: tuple[int, ...] = ()
    chosen_page_ids: tuple[int, ...] = ()
    minimum_kind: DraftKind = "outline"
    from_project: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    length_asked: bool = False

    @property
    def is_planned(self) -> bool:
        """Whether the caller gave a plan to write from, evidence included."""
        return self.plan is not None and self.plan.is_complete

    @property
    def least_links(self) -> int:
        """How many pages of the project the text should link: as asked, else by its length."""
        return LinkBounds(self.fewest_links, self.most_links).least(self.target_words)


DEFAULT_REQUEST: Final = GenerationRequest()


@dataclass(frozen=True)
class Given:
    """What a post needs no evidence for, because its caller said it, and what it must not say."""

    text: str = ""
    links: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    link_bounds: LinkBounds = DEFAULT_LINK_BOUNDS


def given_by(request: Mapping[str, Any]) -> Given:
    """Return what the quality gate has to know of a request, in the form in which a post keeps it."""
    closing = request.get("call_to_action")
    outline = request.get("outline") or ()
    plan = request.get("plan") or {}
    lines = [
        request.get("topic") or "",
        request.get("title") or "",
        *(request.get("keywords") or ()),
        *(request.get("key_points") or ()),
        *(line for section in outline for line in (section["heading"], *section["key_points"])),
        *(plan.get(name) or "" for name in ("meta_title", "description")),
        *(each["question"] for each in plan.get("questions") or ()),
        *([closing["text"]] if closing else []),
    ]
    return Given(
        text="\n".join(lines),
        links=(closing["url"],) if closing else (),
        avoid=tuple(request.get("avoid") or ()),
        link_bounds=LinkBounds(request.get("fewest_links"), request.get("most_links", MOST_LINKS)),
    )
