"""The editing of a draft: findings, one call, and those of its changes that are no worse than the draft.

draft → findings → changes of the model → draft and plan without the refused ones
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.plan import PostPlan
from app.content.writing.article import edit_prompts
from app.content.writing.article.answers import read_edit
from app.content.writing.article.changes import Edited, apply_changes
from app.content.writing.article.checking import Checker
from app.content.writing.article.draft import Draft
from app.content.writing.article.findings.find import findings_in
from app.content.writing.article.findings.finding import Finding
from app.content.writing.article.material import Material
from app.content.writing.article.planning import words_of_caller
from app.content.writing.article.schemas import EDIT
from app.content.writing.llm.calls import Calls
from app.content.writing.llm.questions import Question
from app.content.writing.providers.base import Message
from app.content.writing.veto.evidence import half_of, tokens_of_units
from app.failures import Failure

_EVIDENCE_TOKENS: Final = 2_500
_MOST_FINDINGS: Final = 12


@dataclass(frozen=True)
class Editor:
    """Edits the draft of one article and finds what an editor would look at."""

    material: Material
    units: Sequence[EvidenceUnit]
    checker: Checker

    def edit(self, plan: PostPlan, draft: Draft, calls: Calls) -> Edited:
        """Return the edited draft with its plan; as they are if the provider gives no usable answer.

        Raises ServiceFailure for failures of the job or of every call.
        """
        fixed = words_of_caller(self.material.request)
        places = edit_prompts.numbered_places(draft, fixed)
        found = self.findings(plan, draft)[:_MOST_FINDINGS]

        def messages(shown: Sequence[EvidenceUnit]) -> tuple[Message, ...]:
            request, brief = self.material.request, self.material.brief
            asked = edit_prompts.edit(request, brief, plan, draft, places, found, shown, fixed=fixed)
            return (self.material.system(), asked)

        units = self._evidence(plan, draft)
        linkable = [page.page_id for page in self.material.snapshot.pages]
        question = Question(messages(units), messages(half_of(units)), EDIT, read_edit(linkable))
        [changes] = calls.ask_optional([question])
        if isinstance(changes, Failure):
            return Edited(draft, plan)
        titles = {name for name in edit_prompts.TITLES if getattr(plan, name) not in fixed}
        return apply_changes(draft, plan, changes, places, titles, self.checker, self.material.brief)

    def findings(self, plan: PostPlan, draft: Draft) -> tuple[Finding, ...]:
        """Return the findings in a draft."""
        request, brief = self.material.request, self.material.brief
        return findings_in(
            draft,
            plan.keyphrase or brief.primary_keyword,
            brief.language,
            self.checker.evidence_of,
            is_invited=request.call_to_action is not None,
        )

    def _evidence(self, plan: PostPlan, draft: Draft) -> tuple[EvidenceUnit, ...]:
        """Return the evidence that fits: on the site, the highlights, and what most sentences name."""
        named = Counter(each for s in draft.statements for each in s.sentence.source_ids)
        first = [unit.id for unit in self.material.about_site]
        wanted = dict.fromkeys([*first, *plan.highlights, *(each for each, _ in named.most_common())])
        known = {unit.id: unit for unit in self.units}
        left, chosen = _EVIDENCE_TOKENS, set[str]()
        for each in wanted:
            cost = tokens_of_units([known[each]]) if each in known else left + 1
            if cost <= left:
                chosen.add(each)
                left -= cost
        return tuple(unit for unit in self.units if unit.id in chosen)
