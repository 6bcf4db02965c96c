"""The plan of an article: one call with the best evidence, or a person's own plan."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from app.content.artefacts import SourcePage
from app.content.drafts import Usage
from app.content.evidence.sections import is_generic, page_name
from app.content.evidence.units import EvidenceUnit
from app.content.plan import LONGEST_KEYPHRASE, PlannedLink, PlannedSection, PostPlan
from app.content.planning.spelling import as_spelled
from app.content.planning.titles import DESCRIPTION_LENGTH, META_TITLE_LENGTH, make_meta_title, make_title
from app.content.request import GenerationRequest
from app.content.retrieval.topic_words import mentions_any
from app.content.writing.article import plan_prompts
from app.content.writing.article.answers import NotCovered, read_plan
from app.content.writing.article.material import Material, described_pages
from app.content.writing.article.named_evidence import with_named
from app.content.writing.article.schemas import PLAN
from app.content.writing.llm.calls import Calls
from app.content.writing.llm.questions import Question
from app.content.writing.providers.base import Message
from app.content.writing.veto.evidence import half_of
from app.content.writing.veto.rules import Veto
from app.language.words import extent, fold, width

_FOUND_FOR_A_SECTION: Final = 6
_FOUND_FOR_A_GAP: Final = 4
_LONGEST_TITLE: Final = 150
_MOST_TITLES: Final = 60
"""Pages and posts that the article must not compete with."""
_KNOWN: Final = 3
"""The units of a page that say what it is about, so that its description says no more."""
_LONGEST_PHRASE: Final = 6
"""The most words of a keyphrase: people search for no more."""


@dataclass(frozen=True)
class Planned:
    """A plan with existing evidence, notes on parts that were not used, and the usage of its calls.

    ``material`` is what it was made from. ``made_titles`` are those that rules made, because no planned one
    could be used.
    """

    plan: PostPlan
    material: Material
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    made_titles: frozenset[str] = frozenset()


def plan_article(material: Material, calls: Calls) -> Planned | NotCovered:
    """Return the plan of the article, or what is missing for one. Raises ServiceFailure.

    A complete plan of the caller stays as it is; requested headings become part of the plan. If the model
    finds the topic not covered, it is asked once more, with the pages that it names and with what the site,
    further pages of it too, says in the words of its answer: a site may use those words and not the topic's.
    """
    requested = material.request.plan
    if requested is not None and requested.is_complete:
        units = material.index.named(requested.evidence_ids)
        return _checked(material, requested, (*material.given, *material.about_site, *units))
    headings = tuple(section.heading for section in requested.sections) if requested else ()
    named = material.index.named(requested.evidence_ids) if requested else ()
    units = material.pack(named)
    answer = _ask(material, calls, headings, units)
    if isinstance(answer, NotCovered):
        material = material.widened(answer.missing)
        found = [unit for gap in answer.missing for unit in material.filling(gap, _FOUND_FOR_A_GAP)]
        further = material.pack([*named, *found], pages=answer.page_ids)
        if set(further) <= set(units):
            return answer
        units = further
        answer = _ask(material, calls, headings, units)
    if isinstance(answer, NotCovered):
        return answer
    units = (*units, *material.index.named(answer.evidence_ids))
    return _checked(material, _with_requests(answer, requested), units)


def _ask(
    material: Material, calls: Calls, headings: tuple[str, ...], units: Sequence[EvidenceUnit]
) -> PostPlan | NotCovered:
    """Return the model's plan, made from ``units``, with the passages that it names beyond them."""

    def beyond(shown: Sequence[EvidenceUnit]) -> dict[EvidenceUnit, str]:
        return material.passages.beyond(shown, material.brief.topic)

    passages, half = beyond(units), half_of(units)
    question = Question(
        _messages(material, units, passages),
        _messages(material, half, beyond(half)),
        PLAN,
        read_plan(headings),
    )
    answer = calls.ask(question)
    if isinstance(answer, NotCovered):
        return answer
    return with_named(answer, passages, material.passages, frozenset(units))


def _messages(
    material: Material, shown: Sequence[EvidenceUnit], passages: Mapping[EvidenceUnit, str]
) -> tuple[Message, ...]:
    snapshot = material.snapshot
    asked = plan_prompts.plan(
        material.request,
        material.brief,
        shown,
        page_titles=_page_titles(snapshot.pages, shown),
        post_titles=[post.title for post in snapshot.existing_posts][:_MOST_TITLES],
        sample=material.sample,
        passages=passages,
    )
    return (material.system(), asked)


def _page_titles(pages: Sequence[SourcePage], units: Sequence[EvidenceUnit]) -> list[tuple[int, str]]:
    """Return the numbers and names of pages; those of which ``units`` have little are described, too."""
    shown = Counter(unit.page_id for unit in units)
    described = described_pages(pages)
    return [
        (page.page_id, page_name(page) if shown[page.page_id] >= _KNOWN else described[page.page_id])
        for page in pages[:_MOST_TITLES]
    ]


def _with_requests(plan: PostPlan, requested: PostPlan | None) -> PostPlan:
    """Return a plan with the members that the caller gave in place of the model's."""
    if requested is None:
        return plan
    asked = {section.heading: section for section in requested.sections}
    sections = tuple(_with_request(each, asked.get(each.heading)) for each in plan.sections)
    return replace(plan, **_said(requested), sections=sections)


def _with_request(section: PlannedSection, asked: PlannedSection | None) -> PlannedSection:
    return replace(section, **_said(asked)) if asked else section


def _said(given: PostPlan | PlannedSection) -> dict[str, Any]:
    """Return the members that a caller gave of a plan or a section, without the sections of a plan."""
    members = {member.name: getattr(given, member.name) for member in fields(given)}
    has_own = ("sections", "heading")
    return {
        name: value
        for name, value in members.items()
        if name not in has_own and value != getattr(type(given), name)
    }


def _checked(material: Material, plan: PostPlan, units: Sequence[EvidenceUnit]) -> Planned:
    """Return a plan with only existing evidence, and with headings that the evidence supports."""
    request, brief = material.request, material.brief
    veto = Veto(material.evidence(units), brief.language, request.avoid)
    own = words_of_caller(request)
    counts = range(len(plan.sections) + 1)
    notes: list[str] = []

    def is_without(found: Sequence[str], text: str, what: str) -> bool:
        if found:
            notes.append(f"The planned {what} “{text}” was not used: {'; '.join(found)}.")
        return not found

    def is_allowed(text: str, what: str) -> bool:
        return text in own or is_without(veto.heading_violations(text, counts), text, what)

    def is_point_allowed(text: str) -> bool:
        return text in own or is_without(veto.key_point_violations(text), text, "key point")

    titles = _titles(material, plan, is_allowed)
    known = {unit.id: unit for unit in units}
    sections = [
        _section(material, each, known, is_allowed, is_point_allowed) for each in _unique(plan.sections)
    ]
    kept = replace(
        plan,
        title=titles["title"],
        meta_title=titles["meta_title"],
        description=titles["description"],
        keyphrase=_keyphrase(material, plan),
        sections=tuple(each for each in sections if each is not None),
        highlights=tuple(each for each in plan.highlights if each in known),
        questions=tuple(
            replace(each, evidence_ids=tuple(i for i in each.evidence_ids if i in known))
            for each in plan.questions
            if is_allowed(each.question, "question")
        )
        if request.include.faq
        else (),
        links=_links(material, plan),
    )
    made = frozenset(name for name in ("title", "meta_title") if titles[name] != getattr(plan, name))
    return Planned(kept, material, tuple(notes), made_titles=made)


def _titles(material: Material, plan: PostPlan, is_allowed: Callable[[str, str], bool]) -> dict[str, str]:
    """Return title, meta title and description: the caller's, else the planned ones that can be used.

    Rules make the titles that are missing; a missing description stays empty.
    """
    request, brief, name = material.request, material.brief, material.snapshot.project_name
    title = fold(request.title or "")
    if not title and plan.title and is_allowed(plan.title, "title"):
        title = plan.title[:_LONGEST_TITLE]
    topic = as_spelled(brief.topic, material.library.sections, material.library.language)
    title = title or make_title(topic, name, brief.language)
    meta_title, description = plan.meta_title, plan.description
    is_own = request.plan is not None and meta_title == request.plan.meta_title != ""
    if not (is_own or (fits(meta_title, META_TITLE_LENGTH) and is_allowed(meta_title, "search title"))):
        meta_title = make_meta_title(title, name, brief.language)
    if not (fits(description, DESCRIPTION_LENGTH) and is_allowed(description, "description")):
        description = ""
    return {"title": title, "meta_title": meta_title, "description": description}


def _keyphrase(material: Material, plan: PostPlan) -> str:
    """Return the keyphrase: the caller's, else the planned one if it fits the topic."""
    brief, requested = material.brief, material.request.plan
    phrase = as_spelled(
        fold(plan.keyphrase).lower(), material.library.sections, material.library.language
    ).lower()
    if material.request.keywords or not phrase:
        return brief.primary_keyword
    if requested is not None and plan.keyphrase == requested.keyphrase:
        return phrase
    is_short = len(phrase) <= LONGEST_KEYPHRASE and extent(phrase) <= _LONGEST_PHRASE
    return phrase if is_short and mentions_any(brief.topic, phrase, brief.language) else brief.primary_keyword


def words_of_caller(request: GenerationRequest) -> frozenset[str]:
    """Return the titles, headings and questions of the caller, which are neither checked nor changed."""
    title = fold(request.title or "")
    own, requested = frozenset([title] if title else []), request.plan
    if requested is None:
        return own
    named = [requested.title, requested.meta_title, requested.description]
    named += [section.heading for section in requested.sections]
    named += [requested.closing.heading, *(each.question for each in requested.questions)]
    return own | frozenset(filter(None, named))


def _section(
    material: Material,
    section: PlannedSection,
    known: dict[str, EvidenceUnit],
    is_allowed: Callable[[str, str], bool],
    is_point_allowed: Callable[[str], bool],
) -> PlannedSection | None:
    ids = tuple(each for each in section.evidence_ids if each in known)
    if not ids:
        subject = " ".join((section.heading, *section.key_points))
        found = [unit.id for unit, _ in material.index.ranked(subject, material.keywords) if unit.id in known]
        ids = tuple(found[:_FOUND_FOR_A_SECTION])
    heading = section.heading
    if not is_allowed(heading, "heading"):
        named = (known[each].heading for each in ids)
        heading = next((each for each in named if not is_generic(each, material.brief.language)), "")
    points = tuple(filter(is_point_allowed, section.key_points))
    return replace(section, heading=heading, key_points=points, evidence_ids=ids) if heading else None


def _links(material: Material, plan: PostPlan) -> tuple[PlannedLink, ...]:
    pages = {page.page_id for page in material.snapshot.pages}
    wanted = {link.page_id: link for link in reversed(plan.links) if link.page_id in pages}
    return tuple(reversed(wanted.values()))[: material.request.most_links]


def _unique(sections: Sequence[PlannedSection]) -> list[PlannedSection]:
    return list({section.heading.lower(): section for section in reversed(sections)}.values())[::-1]


def fits(text: str, bounds: tuple[int, int]) -> bool:
    """Return whether the width of a text is within bounds."""
    return bounds[0] <= width(text) <= bounds[1]
