"""The input of an article: request, snapshot, brief, and the evidence, ready to be ranked. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from app.content.artefacts import Brief, DraftKind, SourcePage, SourceSnapshot
from app.content.evidence.about_site import about_site, self_descriptions
from app.content.evidence.sections import is_dated, page_name
from app.content.evidence.units import EvidenceUnit
from app.content.planning.brief import build_brief
from app.content.rendering.markdown import looks_active
from app.content.request import GenerationRequest
from app.content.retrieval.avoiding import library_for
from app.content.retrieval.evidence import PACK_TOKENS, EvidenceIndex
from app.content.retrieval.named_passages import NamedPassages
from app.content.retrieval.page_stems import is_home
from app.content.retrieval.passages import Library
from app.content.writing.article import prompts
from app.content.writing.providers.base import Message
from app.content.writing.veto.evidence import EvidenceSet, given_text, given_units, tokens_of_units
from app.language.money import has_amount
from app.language.words import extent, fold

_DESCRIBED: Final = 160
"""Characters of a page's description; search results show as many."""
_SAMPLES: Final = 3
_FILLING: Final = 2
_FIRST: Final = 2
_BEST: Final = 20
"""The units on the topic whose words are explained to the one who plans."""
_PRICED: Final = frozenset({"price", "table"})
_SAMPLE_WORDS: Final = (35, 110)


def described_pages(pages: Sequence[SourcePage]) -> dict[int, str]:
    """Return the name of each page, with its description where that says more and no other page has it."""
    names = {page.page_id: page_name(page) for page in pages}
    said = {page.page_id: fold(page.description or "") for page in pages}
    times = Counter(said.values())
    return {
        page_id: f"{name} ({said[page_id][:_DESCRIBED].rstrip()})"
        if times[said[page_id]] == 1 and said[page_id] not in {"", name} and not looks_active(said[page_id])
        else name
        for page_id, name in names.items()
    }


@dataclass(frozen=True)
class Material:
    """The input of a job that plans or writes a text."""

    request: GenerationRequest
    snapshot: SourceSnapshot
    library: Library
    brief: Brief
    index: EvidenceIndex
    """The evidence units of the library, ready to be ranked; one for all briefs of a job."""
    further: Callable[[str], Sequence[SourcePage]] = lambda _gaps: ()
    """Returns pages that the snapshot does not have and that say most on some words."""

    @cached_property
    def passages(self) -> NamedPassages:
        """The passages of the evidence by their names."""
        return NamedPassages(self.index)

    @cached_property
    def given(self) -> tuple[EvidenceUnit, ...]:
        """The facts of the caller and the project, as units to cite."""
        return given_units(self.request, self.snapshot)

    @cached_property
    def about_site(self) -> tuple[EvidenceUnit, ...]:
        """What says who the site is and how to reach it."""
        pages, name = self.snapshot.pages, self.snapshot.project_name
        homes = {page.page_id for page in pages if is_home(page.url)}
        described = self_descriptions(pages, homes, name, self.brief.language)
        return (*described, *about_site(self.index.units, homes))

    @property
    def keywords(self) -> tuple[str, ...]:
        """The search phrases, the main one first."""
        return (self.brief.primary_keyword, *self.brief.secondary)

    def evidence(self, units: Sequence[EvidenceUnit]) -> EvidenceSet:
        """Return these units as evidence, with the text that needs no citing."""
        return EvidenceSet(units, given_text(self.request, self.snapshot, self.brief.topic))

    def pack(
        self,
        first: Sequence[EvidenceUnit] = (),
        tokens: int = PACK_TOKENS,
        explaining: Sequence[EvidenceUnit] | None = None,
        pages: Sequence[int] = (),
    ) -> tuple[EvidenceUnit, ...]:
        """Return the evidence for one prompt: given facts, the units ``first``, and the best on the topic.

        Of the best, those of ``pages`` come first. Among them are the units ``explaining`` words, by default
        those that the best ones use often. At the end stands what a reader has to know of the site.
        """
        site = self.about_site
        if explaining is None:
            ranked = self.index.ranked(self.brief.topic, self.keywords)[:_BEST]
            explaining = self.index.definitions.explaining([unit for unit, _ in ranked])
        found = self.index.pack(
            self.brief.topic,
            self.keywords,
            pages=(*pages, *self.request.required_page_ids, *self._nearest_pages()),
            first=first,
            aside=explaining,
            tokens=tokens - tokens_of_units((*self.given, *site)),
        )
        return tuple(dict.fromkeys((*self.given, *found, *site)))

    def widened(self, gaps: Sequence[str]) -> Material:
        """Return this with further pages of the site that say something on the gaps."""
        pages = self.further(" ".join(gaps))
        if not pages:
            return self
        snapshot = replace(self.snapshot, pages=(*self.snapshot.pages, *pages))
        wider = material_of(self.request, snapshot, "full")
        return replace(wider, brief=replace(wider.brief, gaps=self.brief.gaps), further=self.further)

    def filling(self, gap: str, most: int = _FILLING) -> list[EvidenceUnit]:
        """Return the units of all pages that say most on a gap of a plan, which saw a part of them."""
        return [unit for unit, _ in self.index.ranked(gap)[:most]]

    def _nearest_pages(self) -> tuple[int, ...]:
        """Return the pages that say most on the topic; for a topic on costs, also pages with prices."""
        covering = self.brief.covering_page_ids
        if self.brief.intent != "buy":
            return covering
        priced = {unit.page_id for unit in self.index.units if unit.kind in _PRICED and has_amount(unit.text)}
        ranked = dict.fromkeys(unit.page_id for unit, _ in self.index.ranked(self.brief.topic, self.keywords))
        return (*covering[:_FIRST], *[page_id for page_id in ranked if page_id in priced][:_FIRST], *covering)

    @cached_property
    def sample(self) -> tuple[str, ...]:
        """Paragraphs from different pages, longest first, as a sample of the site's voice."""
        return tuple(sorted(self._sampled(), key=extent, reverse=True)[:_SAMPLES])

    def _sampled(self) -> Iterator[str]:
        pages: set[int] = set()
        dated = {page.page_id for page in self.snapshot.pages if is_dated(page, page_name(page))}
        least, most = _SAMPLE_WORDS
        for unit in self.index.units:
            is_prose = unit.kind == "paragraph" and least <= extent(unit.text) <= most
            if is_prose and unit.page_id not in pages | dated:
                pages.add(unit.page_id)
                yield unit.text

    def system(self) -> Message:
        """Return the rules of the job."""
        return prompts.system(self.request, self.brief, self.snapshot.project_name, self.snapshot.day)


def material_of(
    request: GenerationRequest, snapshot: SourceSnapshot, kind: DraftKind | None = None
) -> Material:
    """Return the input of a text about the request's topic; without a ``kind`` the pages decide on it."""
    library = library_for(request, snapshot)
    brief = build_brief(request, snapshot, library, kind)
    return Material(request, snapshot, library, brief, EvidenceIndex(library))
