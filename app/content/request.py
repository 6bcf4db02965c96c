"""What a generation is asked for: the validated input of both engines, defaults filled. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.content.artefacts import Artefact, DraftKind

PostType = Literal["auto", "guide", "how_to", "list", "comparison", "faq", "hub"]


@dataclass(frozen=True)
class CallToAction(Artefact):
    """The caller's closing invitation: its words and where they lead."""

    text: str
    url: str


@dataclass(frozen=True)
class SectionWish(Artefact):
    """A section that the caller wants, and the points it has to make."""

    heading: str
    key_points: tuple[str, ...] = ()


@dataclass(frozen=True)
class Include(Artefact):
    """Which parts a post has besides its sections."""

    faq: bool = True
    table_of_contents: bool = False
    key_takeaways: bool = False
    json_ld: bool = True


@dataclass(frozen=True)
class GenerationRequest(Artefact):
    """The validated input of one generation, defaults filled; ``target_words`` counts Unicode words.

    ``key_points`` are facts the caller vouches for. ``fewest_links`` and ``most_links`` bound the internal
    links; None leaves the lower bound to the length.
    """

    topic: str | None = None
    title: str | None = None
    keywords: tuple[str, ...] = ()
    target_words: int = 900
    language: str = "en"
    post_type: PostType = "auto"
    audience: str | None = None
    tone: str = "neutral"
    instructions: str = ""
    key_points: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    call_to_action: CallToAction | None = None
    outline: tuple[SectionWish, ...] = ()
    include: Include = Include()
    fewest_links: int | None = None
    most_links: int = 15
    slug: str | None = None
    required_page_ids: tuple[int, ...] = ()
    minimum_kind: DraftKind = "outline"
