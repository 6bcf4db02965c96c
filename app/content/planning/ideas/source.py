"""What title ideas are found in, and what they are chosen from: sources and candidates. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from app.content.artefacts import ExistingPost, PageRef, SourceSnapshot
from app.content.evidence.sections import PageSection, page_names
from app.content.evidence.units import EvidenceUnit, units_of
from app.content.planning.titles import cut
from app.content.retrieval.duplicates import NamedPage
from app.content.retrieval.page_stems import PageStems
from app.content.retrieval.passages import Library

Origin = Literal["keyword", "question", "comparison", "how_to", "cost", "model"]
Stems = frozenset[str]

_NAME_SHOWN: Final = 60


@dataclass(frozen=True)
class IdeaKeyword:
    """A keyword of the project; ``volume`` is how often it is searched for, when that is known."""

    id: int
    text: str
    volume: int | None = None


@dataclass(frozen=True)
class Candidate:
    """What could become an idea.

    ``page_ids`` are the pages it was found on, ``why`` says what makes it worth a post (of a keyword its
    coverage says so), ``question`` is what a reader asks.
    """

    origin: Origin
    title: str
    topic: str
    stems: Stems
    why: str = ""
    page_ids: tuple[int, ...] = ()
    question: str | None = None
    keyword: IdeaKeyword | None = None


@dataclass(frozen=True)
class IdeaSource:
    """A site as ideas see it.

    ``pages`` are the pages that were read, ``names`` what they are called, both by their ids. ``named`` are
    all pages of the site.
    """

    project_name: str
    language: str
    sections: tuple[PageSection, ...]
    units: tuple[EvidenceUnit, ...]
    pages: Mapping[int, PageRef]
    names: Mapping[int, tuple[str, ...]]
    named: tuple[NamedPage, ...]
    page_stems: tuple[PageStems, ...]
    posts: tuple[ExistingPost, ...]

    def shown(self, page_id: int) -> str:
        """Return a page's name in quotation marks."""
        return f"“{cut(self.names[page_id][0], _NAME_SHOWN)}”"


def idea_source(snapshot: SourceSnapshot, library: Library, named: Iterable[NamedPage] = ()) -> IdeaSource:
    """Return what ideas are found in; ``named`` are pages beside those of the snapshot, too."""
    names = {page.page_id: page_names(page) for page in snapshot.pages}
    others = (page for page in named if page.id not in names)
    return IdeaSource(
        project_name=snapshot.project_name,
        language=library.language,
        sections=library.sections,
        units=units_of(library.sections),
        pages={
            page.page_id: PageRef(page.page_id, page.url, page.title or page.url) for page in snapshot.pages
        },
        names=names,
        named=(*(NamedPage(page_id, called) for page_id, called in names.items()), *others),
        page_stems=library.page_stems,
        posts=snapshot.existing_posts,
    )
