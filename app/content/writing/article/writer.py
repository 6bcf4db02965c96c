"""The writer with a language model: request and snapshot in, finished article out.

    brief → plan (1 call) → draft (1 to 3 calls) → edit (1 call) → veto → verify (1 or 2 calls)
    → revise (2 times at most) → assemble → quality check

Everything is pure except the calls, which all go through ``Calls``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from app.content.artefacts import Outline, OutlineSection, SourcePage, SourceSnapshot, evidence_id
from app.content.assembly.assemble import assemble
from app.content.assembly.linking import Linked, links_of
from app.content.assembly.lists import key_points_draft, takeaways_draft
from app.content.assembly.mentions import link_mentions
from app.content.assembly.outbound import link_out
from app.content.drafts import SectionDraft, Usage, WrittenPost
from app.content.plan import PostPlan
from app.content.planning.brief import with_keyphrase
from app.content.planning.takeaways import find_takeaways
from app.content.quality.gate import check_written_post
from app.content.quality.subject import counted
from app.content.request import GenerationRequest
from app.content.writing.article.answers import NotCovered
from app.content.writing.article.checking import Checked, Checker
from app.content.writing.article.drafting import draft_article, evidence_for
from app.content.writing.article.editing import Editor
from app.content.writing.article.editor_notes import notes_of_article, warning_of_removed
from app.content.writing.article.findings.finding import Finding
from app.content.writing.article.material import Material, material_of
from app.content.writing.article.planning import Planned, plan_article
from app.content.writing.article.sections import ArticleParts, article_parts
from app.content.writing.article.unused import unused_evidence
from app.content.writing.contradictions import contradictions
from app.content.writing.llm.calls import Attempt, Calls
from app.content.writing.llm.questions import AnswerCache
from app.content.writing.notes import warnings_of_any
from app.content.writing.providers.base import Providers
from app.content.writing.veto.quantities import quantities
from app.failures import Failure, ServiceFailure
from app.language.stems import content_stems

_MOST_NOTES: Final = 40
_TAKEAWAY_WORDS: Final = 90


@dataclass(frozen=True)
class Work:
    """The job that a writer works for; ``stage(name, message)`` records its progress and may end it.

    ``further(gaps)`` returns pages that the snapshot does not have and that say most on some words.
    """

    stage: Callable[[str, str], None]
    should_stop: Callable[[], bool]
    remaining: Callable[[], float]
    cache: AnswerCache
    further: Callable[[str], Sequence[SourcePage]] = lambda _gaps: ()


class ModelFailed(ServiceFailure):
    """Raised when the model wrote no post; ``usage`` is what its calls used."""

    def __init__(self, found: Failure, usage: Usage) -> None:
        taken = {"usage": usage.taken()} if usage.calls else {}
        details = {**(found.details or {}), **taken} or None
        super().__init__(found.code, found.message, hints=found.hints, details=details)
        self.usage = usage


def write_article(
    request: GenerationRequest, snapshot: SourceSnapshot, providers: Providers, work: Work
) -> WrittenPost | NotCovered:
    """Return the article, or why there is none.

    Raises ModelFailed with the code of what the provider did, JOB_TIMEOUT, CANCELED, and INVALID_REQUEST
    when the input is too long for the model; and what ``work.stage`` raises.
    """
    work.stage("build_brief", "")
    return _with_calls(material_of(request, snapshot, "full"), providers, work, _written)


def plan_only(material: Material, providers: Providers, work: Work) -> Planned | NotCovered:
    """Return the plan of an article, or why there is none. Raises as ``write_article`` does."""
    return _with_calls(material, providers, work, _planned)


Enter = Callable[..., None]
T = TypeVar("T")


def _with_calls(
    material: Material,
    providers: Providers,
    work: Work,
    write: Callable[[Material, Calls, Enter], T | NotCovered],
) -> T | NotCovered:
    current = "build_brief"

    def enter(stage: str, message: str = "") -> None:
        nonlocal current
        current = stage
        work.stage(stage, message)

    request, brief = material.request, material.brief
    attempt = Attempt(lambda note: work.stage(current, note), work.should_stop, work.remaining, work.cache)
    calls = Calls(providers, attempt)
    if brief.coverage == "absent" and not (request.key_points or request.is_planned):
        return NotCovered(brief.missing_words, calls.usage)
    try:
        # The plan finds the gaps in the evidence itself.
        full = replace(material, brief=replace(brief, draft_kind="full", gaps=()), further=work.further)
        made = write(full, calls, enter)
    except ServiceFailure as error:
        raise ModelFailed(error.failure, calls.usage) from None
    return replace(made, usage=calls.usage) if isinstance(made, NotCovered) else made


def _planned(material: Material, calls: Calls, enter: Enter) -> Planned | NotCovered:
    enter("build_outline")
    planned = plan_article(material, calls)
    return planned if isinstance(planned, NotCovered) else replace(planned, usage=calls.usage)


def _written(material: Material, calls: Calls, enter: Enter) -> WrittenPost | NotCovered:
    planned = _planned(material, calls, enter)
    if isinstance(planned, NotCovered):
        return planned
    plan, material = planned.plan, planned.material
    material = replace(material, brief=with_keyphrase(material.brief, plan.keyphrase, material.library))
    if not plan.sections:
        raise _nothing_supported(calls)
    units = evidence_for(material, plan)
    drafted = draft_article(
        material, plan, units, calls, lambda done, of: enter("draft_sections", f"{done} of {of}")
    )
    unused = unused_evidence(material, plan, drafted)
    # The writer may remember a passage that only the plan was shown.
    named = material.index.named(each for s in drafted.statements for each in s.sentence.source_ids)
    checker = Checker(material, tuple(dict.fromkeys((*units, *named, *unused))), calls)
    editor = Editor(material, units, unused, checker)
    edited = editor.edit(plan, drafted, calls, planned.made_titles)
    if edited.made or edited.refused:
        made = counted(edited.made, "change", "changes")
        enter("draft_sections", f"{made} by editing, {edited.refused} refused")
    plan, planned = edited.plan, replace(planned, plan=edited.plan)
    enter("check_claims")
    checked = checker.check(edited.draft)
    parts = article_parts(material, plan, checked.draft, checker.heading_violations)
    if not parts.sections:
        calls.forget()
        raise _nothing_supported(calls)
    enter("assemble")
    findings = editor.findings(checked.draft)
    return _finished(material, planned, checked, parts, findings, calls, enter)


def _finished(
    material: Material,
    planned: Planned,
    checked: Checked,
    parts: ArticleParts,
    findings: Sequence[Finding],
    calls: Calls,
    enter: Enter,
) -> WrittenPost:
    request, snapshot, brief = material.request, material.snapshot, material.brief
    plan = planned.plan
    points = key_points_draft(_missing_points(material, parts), brief)
    linked = _linked(material, parts, [*_takeaways(material), *points, *parts.sections])
    blocks_of = {
        unit.id: [evidence_id(unit.page_id, block) for block in unit.block_ids]
        for unit in material.index.units
    }
    drafts = link_out(linked.drafts, snapshot, brief.primary_keyword, blocks_of)
    outline = _outline(plan, parts)
    post = assemble(brief, outline, drafts, parts.questions, snapshot, parts.opening, request)
    enter("quality_check")
    given = [unit.text for unit in material.given]
    return WrittenPost(
        post=post,
        brief=brief,
        outline=outline,
        quality=check_written_post(post, brief, snapshot, given=given, request=request),
        draft_kind="full",
        engine="llm",
        warnings=warnings_of_any(request, brief, post.slug, warning_of_removed(checked)),
        editor_notes=(
            *contradictions(material.library, snapshot, post.markdown),
            *notes_of_article(material, planned, checked, parts, linked, findings),
        )[:_MOST_NOTES],
        usage=calls.usage,
        plan=plan,
    )


def _outline(plan: PostPlan, parts: ArticleParts) -> Outline:
    """Return the outline of the finished article."""
    planned = {section.heading: section for section in plan.sections}

    def section(draft: SectionDraft) -> OutlineSection:
        of = planned.get(draft.heading)
        cited = (s for p in draft.paragraphs for each in p.sentences for s in each.source_ids)
        return OutlineSection(
            id=draft.id,
            heading=draft.heading,
            purpose=of.purpose if of else "",
            key_points=of.key_points if of else (),
            evidence_ids=of.evidence_ids if of else tuple(dict.fromkeys(cited)),
            target_words=of.words if of else 0,
            level=draft.level,
        )

    return Outline(
        plan.title,
        plan.meta_title,
        tuple(map(section, parts.sections)),
        tuple(map(section, parts.questions)),
    )


def _takeaways(material: Material) -> tuple[SectionDraft, ...]:
    """Return the key takeaways: sentences of the pages in their own words."""
    if not material.request.include.key_takeaways:
        return ()
    found = find_takeaways(material.library, material.brief, _TAKEAWAY_WORDS)
    return takeaways_draft(found, material.brief, material.snapshot)


def _missing_points(material: Material, parts: ArticleParts) -> list[str]:
    """Return the caller's key points that no sentence makes, so that the post can list them."""
    drafts = (*parts.sections, *parts.questions)
    said = [s.text for draft in drafts for paragraph in draft.paragraphs for s in paragraph.sentences]
    language = material.brief.language
    return [
        point
        for point in material.request.key_points
        if not any(_makes(sentence, point, language) for sentence in said)
    ]


def _makes(sentence: str, point: str, language: str) -> bool:
    """Return whether a sentence contains every content stem and every figure of a point."""
    stems = set(content_stems(point, language))
    made, said = ({(q.number, q.unit) for q in quantities(text, language)} for text in (point, sentence))
    return bool(stems) and stems <= set(content_stems(sentence, language)) and made <= said


def _linked(material: Material, parts: ArticleParts, drafts: Sequence[SectionDraft]) -> Linked:
    """Return the drafts with further links in sentences that name a page, if there are too few."""
    request, brief = material.request, material.brief
    elsewhere = {link.page_id for draft in parts.around for link in links_of(draft)}
    return link_mentions(
        drafts,
        material.snapshot.page_by_id,
        [candidate.id for candidate in brief.link_candidates],
        required=request.required_page_ids,
        least=request.least_links,
        most=request.most_links,
        language=brief.language,
        elsewhere=elsewhere,
    )


def _nothing_supported(calls: Calls) -> ServiceFailure:
    return ServiceFailure(
        "PROVIDER_FAILED",
        "The evidence supports nothing of what the text provider wrote.",
        hints=[
            "Add pages about the topic, or choose a topic that the pages say more about.",
            "For the operator: if the pages do say enough, choose another model (LLM_MODEL).",
        ],
        details={"provider": calls.usage.provider, "model": calls.usage.model, "reason": "unsupported"},
    )
