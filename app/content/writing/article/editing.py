"""The editing of a draft: findings, one call, and those of its changes that are no worse than the draft.

draft → findings → changes of the model → draft and plan without the refused ones
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.plan import PostPlan
from app.content.writing.article import edit_prompts
from app.content.writing.article.answers import read_edit
from app.content.writing.article.changes import Changing, Edited
from app.content.writing.article.checking import Checker
from app.content.writing.article.draft import Draft
from app.content.writing.article.findings.find import findings_in
from app.content.writing.article.findings.finding import Finding
from app.content.writing.article.material import Material
from app.content.writing.article.planning import words_of_caller
from app.content.writing.article.schemas import EDIT
from app.content.writing.article.shown_evidence import prompt_tokens, said_of, shortened_to_fit
from app.content.writing.article.unused import shown_unused
from app.content.writing.llm.calls import Calls
from app.content.writing.llm.questions import Question
from app.content.writing.providers.base import Message
from app.content.writing.veto.evidence import half_of
from app.failures import Failure
from app.language.words import tokens_in

_PROMPT_TOKENS: Final = 7_000
_EVIDENCE_TOKENS: Final = (1_500, 3_500)
"""The least and the most that the evidence takes of a prompt."""
_OF_SITE: Final = 5
"""The part of the evidence that is left for what says who the site is: a fifth."""
_OF_GAPS: Final = 4
"""The part that is left for what may fill the gaps of the plan: a quarter."""
_MOST_FINDINGS: Final = 12


@dataclass(frozen=True)
class Editor:
    """Edits the draft of one article and finds what an editor would look at."""

    material: Material
    units: Sequence[EvidenceUnit]
    unused: Sequence[EvidenceUnit]
    checker: Checker

    def edit(self, plan: PostPlan, draft: Draft, calls: Calls, made_titles: Collection[str] = ()) -> Edited:
        """Return the edited draft with its plan; as they are if the provider gives no usable answer.

        ``made_titles`` are titles of the plan that rules made. Raises ServiceFailure for failures of the job
        or of every call.
        """
        fixed = words_of_caller(self.material.request)
        places = edit_prompts.numbered_places(draft, fixed)
        found = self.findings(draft)[:_MOST_FINDINGS]

        def messages(shown: Sequence[EvidenceUnit]) -> tuple[Message, ...]:
            request, brief = self.material.request, self.material.brief
            asked = edit_prompts.edit(
                request,
                brief,
                plan,
                draft,
                places,
                found,
                shown,
                fixed=fixed,
                made=made_titles,
                unused=self.unused,
            )
            return (self.material.system(), asked)

        least, most = _EVIDENCE_TOKENS
        left = _PROMPT_TOKENS - sum(tokens_in(each["content"]) for each in messages(()))
        named = self._evidence(plan, draft, min(most, max(least, left)))
        known = {unit.id for unit in named}
        missed = [unit for unit in self.unused if unit.id not in known]
        units = (*named, *shown_unused(missed, draft, self.material.brief.language))
        reader = read_edit(self.material.snapshot.page_by_id)
        question = Question(messages(units), messages(half_of(units)), EDIT, reader)
        changes = calls.ask_optional(question, "without editing the draft")
        if isinstance(changes, Failure):
            return Edited(draft, plan)
        titles = {name for name in edit_prompts.TITLES if getattr(plan, name) not in fixed}
        gaps = edit_prompts.numbered_gaps(plan)
        changing = Changing(draft, plan, places, titles, gaps, self.checker, self.material.brief)
        return changing.edited(changes)

    def findings(self, draft: Draft) -> tuple[Finding, ...]:
        """Return the findings in a draft."""
        request, brief = self.material.request, self.material.brief
        return findings_in(
            draft,
            brief.primary_keyword,
            brief.language,
            self.checker.evidence_of,
            is_invited=request.call_to_action is not None,
        )

    def _evidence(self, plan: PostPlan, draft: Draft, tokens: int) -> tuple[EvidenceUnit, ...]:
        """Return the evidence that fits: what sentences name, shortened if it must be, then further units.

        These may fill gaps of the plan, or say who the site is and how to reach it; after them come the
        highlights of the plan.
        """
        said = said_of(each.sentence for each in draft.statements)
        known = {unit.id: unit for unit in self.units}
        site = [unit for unit in self.material.about_site if unit.id not in said]
        filling = self._filling(plan, said, tokens // _OF_GAPS)
        room = tokens - prompt_tokens(filling) - min(prompt_tokens(site), tokens // _OF_SITE)
        named = shortened_to_fit(
            [unit for unit in self.units if unit.id in said], said, room, self.material.brief.language
        )
        chosen = {unit.id: unit for unit in (*named, *filling)}
        left = tokens - prompt_tokens(list(chosen.values()))
        for unit_id in (*(unit.id for unit in site), *plan.highlights):
            if unit_id in known and unit_id not in chosen and prompt_tokens([known[unit_id]]) <= left:
                chosen[unit_id] = known[unit_id]
                left -= prompt_tokens([known[unit_id]])
        return tuple(chosen[unit.id] for unit in self.units if unit.id in chosen)

    def _filling(self, plan: PostPlan, said: Collection[str], tokens: int) -> tuple[EvidenceUnit, ...]:
        """Return what says most on each gap and is not ``said`` yet, shortened to fit into ``tokens``."""
        known = {unit.id for unit in self.units}
        gaps: dict[str, str] = {}
        for gap in plan.gaps:
            for unit in self.material.filling(gap, 1):
                if unit.id in known and unit.id not in said:
                    gaps[unit.id] = f"{gaps.get(unit.id, '')} {gap}"
        found = [unit for unit in self.units if unit.id in gaps]
        return shortened_to_fit(found, gaps, tokens, self.material.brief.language)
