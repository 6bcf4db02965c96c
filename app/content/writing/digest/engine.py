"""The extractive engine: request and snapshot in, finished post out. Deterministic, without network.

request + snapshot → build_brief → build_outline → draft_sections → check_claims → assemble → quality_check
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.content.artefacts import Brief, Outline, SourceSnapshot, page_of
from app.content.assembly.assemble import assemble
from app.content.assembly.linking import Linked, link_up
from app.content.assembly.lists import key_points_draft, takeaways_draft
from app.content.assembly.outbound import keep_links, link_out
from app.content.drafts import SectionDraft, Sentence, WrittenPost
from app.content.planning.brief import build_brief
from app.content.planning.material import require_kind
from app.content.planning.requested_sections import (
    NO_REQUIRED_PAGES,
    RequiredPages,
    ResolvedSection,
    resolve_pages,
    resolve_sections,
)
from app.content.planning.takeaways import find_takeaways, without_sentences
from app.content.quality.gate import check_written_post
from app.content.request import GenerationRequest
from app.content.retrieval.avoiding import library_for
from app.content.retrieval.passages import Library
from app.content.writing.contradictions import contradictions
from app.content.writing.digest.choice import related_pages
from app.content.writing.digest.compose import check_claims, draft_sections, with_shared_sources
from app.content.writing.digest.emphasis import emphasised
from app.content.writing.digest.introducing import introduced
from app.content.writing.digest.outline import build_outline, quote_budget
from app.content.writing.notes import editor_notes, gap_notes, one_page_notes, unsaid_notes, warnings

STAGES: Final = (
    "build_brief",
    "build_outline",
    "draft_sections",
    "check_claims",
    "assemble",
    "quality_check",
)


@dataclass(frozen=True)
class Plan:
    """The outline of a post and the pages to quote, which no longer contain the takeaways."""

    outline: Outline
    library: Library
    takeaways: tuple[Sentence, ...] = ()
    requested: tuple[ResolvedSection, ...] = ()
    required: RequiredPages = NO_REQUIRED_PAGES


def write_extractive(
    request: GenerationRequest, snapshot: SourceSnapshot, enter: Callable[[str], None]
) -> WrittenPost:
    """Write a post from the snapshot's pages alone.

    ``enter`` is called with the name of each of ``STAGES``; an exception that it raises ends the work. The
    same input gives the same post, byte for byte. Raises INSUFFICIENT_SOURCE_MATERIAL when the draft would be
    less than the request's minimum.
    """
    enter("build_brief")
    library = library_for(request, snapshot)
    brief = build_brief(request, snapshot, library)
    require_kind(request, brief, brief.draft_kind)
    enter("build_outline")
    plan = planned(request, snapshot, library, brief)
    enter("draft_sections")
    drafts = draft_sections(plan.outline.sections, plan.library, brief.main_page)
    drafts = drafts if plan.requested else introduced(drafts, library, snapshot.project_name)
    answers = draft_sections(plan.outline.faq, plan.library, brief.main_page)
    enter("check_claims")
    drafts, removed = check_claims((*drafts, *takeaways_draft(plan.takeaways, brief, snapshot)), snapshot)
    answers, removed_answers = check_claims(answers, snapshot)
    enter("assemble")
    drafts = _in_order((*drafts, *key_points_draft(request.key_points if drafts else (), brief)))
    linked = _linked(request, snapshot, brief, plan, with_shared_sources((*drafts, *answers)))
    drafts, answers = linked.drafts[: len(drafts)], linked.drafts[len(drafts) :]
    post = assemble(brief, plan.outline, drafts, answers, snapshot, request=request)
    enter("quality_check")
    quality = check_written_post(post, brief, snapshot, request=request)
    return WrittenPost(
        post=post,
        brief=brief,
        outline=plan.outline,
        quality=quality,
        draft_kind=brief.draft_kind,
        engine="extractive",
        warnings=warnings(request, brief, post.slug, len(removed) + len(removed_answers)),
        editor_notes=(
            *contradictions(library, snapshot, post.markdown),
            *one_page_notes(drafts, snapshot),
            *unsaid_notes(drafts, brief.topic, library),
            *editor_notes(
                request,
                snapshot,
                brief,
                plan.requested,
                plan.required,
                linked,
                plan.takeaways,
                post.word_count,
            ),
        ),
    )


def write_outline_draft(request: GenerationRequest, snapshot: SourceSnapshot) -> WrittenPost:
    """Return the outline of a post, whatever the pages contain. It states nothing about the world.

    Raises INSUFFICIENT_SOURCE_MATERIAL when an outline is less than the request's minimum.
    """
    library = library_for(request, snapshot)
    brief = replace(build_brief(request, snapshot, library), draft_kind="outline")
    require_kind(request, brief, "outline")
    outline = build_outline(request, snapshot, library, brief)
    post = assemble(brief, outline, (), (), snapshot, request=request)
    return WrittenPost(
        post=post,
        brief=brief,
        outline=outline,
        quality=check_written_post(post, brief, snapshot, request=request),
        draft_kind="outline",
        engine="extractive",
        warnings=warnings(request, brief, post.slug, 0),
        editor_notes=tuple(gap_notes(brief)),
    )


def planned(request: GenerationRequest, snapshot: SourceSnapshot, library: Library, brief: Brief) -> Plan:
    """Return the outline of a post, and what of its pages is left for it."""
    budget = quote_budget(brief.target_words)
    if brief.draft_kind == "outline":
        required = resolve_pages(request.required_page_ids, library, brief.topic, budget)
        return Plan(build_outline(request, snapshot, library, brief), library, required=required)
    requested = resolve_sections(request.outline, library, brief.topic, brief.target_words, budget)
    takeaways = _takeaways(request, library, brief, budget, requested)
    library = without_sentences(library, takeaways)
    required = resolve_pages(request.required_page_ids, library, brief.topic, budget)
    # A takeaway may be everything that a page says on the topic.
    used = {page_of(sentence.source_ids[0]) for sentence in takeaways}
    off_topic = tuple(page_id for page_id in required.off_topic if page_id not in used)
    outline = build_outline(request, snapshot, library, brief, requested, required.quoted)
    return Plan(outline, library, takeaways, requested, replace(required, off_topic=off_topic))


def _takeaways(
    request: GenerationRequest,
    library: Library,
    brief: Brief,
    budget: int,
    requested: Sequence[ResolvedSection],
) -> tuple[Sentence, ...]:
    """Return the key takeaways if requested; sentences of the caller's own sections are left out."""
    if not request.include.key_takeaways:
        return ()
    quoted = tuple(s for own in requested for each in own.excerpts for s in each.excerpt.sentences)
    return find_takeaways(without_sentences(library, quoted), brief, budget, sections_left=0 if quoted else 2)


def _in_order(drafts: Sequence[SectionDraft]) -> tuple[SectionDraft, ...]:
    """Return an opening without a heading first, then takeaways and key points, then the sections."""
    places = {"takeaways": 1, "key_points": 2}
    opening = drafts[0].id if drafts and drafts[0].level == 1 else ""
    return tuple(sorted(drafts, key=lambda draft: 0 if draft.id == opening else places.get(draft.id, 3)))


def _linked(
    request: GenerationRequest,
    snapshot: SourceSnapshot,
    brief: Brief,
    plan: Plan,
    drafts: Sequence[SectionDraft],
) -> Linked:
    """Return the drafts with their links to pages of the project and to other sites, and with bold words."""
    about = brief.about_pages if request.fewest_links else related_pages(brief, plan.library)
    quoted = (candidate.section.page.page_id for candidate in plan.required.quoted)
    linked = link_up(
        keep_links(drafts, snapshot, brief.primary_keyword, request.most_links),
        snapshot.page_by_id,
        [candidate.id for candidate in brief.link_candidates],
        required=(*quoted, *plan.required.linked),
        related=about,
        least=request.least_links,
        most=request.most_links,
        language=brief.language,
        keyphrase=brief.primary_keyword,
        project=snapshot.project_name,
    )
    linked_out = link_out(linked.drafts, snapshot, brief.primary_keyword)
    return replace(linked, drafts=emphasised(linked_out, snapshot))
