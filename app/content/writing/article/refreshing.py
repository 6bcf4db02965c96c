"""Single sentences of an article are rewritten: what its evidence no longer says, or what an editor wants.

refresh: trace → sentences whose quote no source page contains any more → revise → veto + verify → new text
rewrite: sentences of a part → revise with the instruction → veto + verify → new text; what has no supported
new form stays
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final

from app.content.artefacts import SourceSnapshot
from app.content.assembly.tracing import entry_from, entry_of
from app.content.drafts import Paragraph, PresentText, RefreshedText, Sentence, TraceEntry, Usage
from app.content.evidence.quotes import QuotedPage, outdated
from app.content.rendering.replacing import replaced
from app.content.request import GenerationRequest
from app.content.writing.article.checking import Checked, Checker, Fault
from app.content.writing.article.draft import Draft, Part, Place
from app.content.writing.article.material import material_of
from app.content.writing.article.writer import ModelFailed, Work
from app.content.writing.llm.calls import Attempt, Calls
from app.content.writing.providers.base import Providers
from app.failures import ServiceFailure
from app.pages.extraction.blocks import CELL_SEPARATOR

MOST_CHANGED: Final = 0.5
"""The share of outdated sentences above which the whole article is rewritten."""

_ASKED: Final = (
    "it is supported, but the editor wants it written anew: “{instruction}”. Do so within the evidence; "
    "leave the text empty only if the instruction asks for less"
)


def is_refreshable(trace: Sequence[Mapping[str, Any]], changed: Sequence[int]) -> bool:
    """Return whether the changed sentences can be replaced one by one: at most half of those with quotes."""
    quoted = sum(bool(entry.get("quote")) for entry in trace)
    return quoted > 0 and len(changed) <= MOST_CHANGED * quoted


@dataclass(frozen=True)
class Revision:
    """The work of a model on the ``present`` text, with its sources as they are now."""

    present: PresentText
    request: GenerationRequest
    snapshot: SourceSnapshot
    providers: Callable[[], Providers]
    work: Work

    def refresh(self) -> RefreshedText | None:
        """Return the text with its outdated sentences rewritten, None where that is not enough.

        Raises ModelFailed, and what ``work.stage`` raises.
        """
        trace = self.present.trace
        changed = outdated(trace, {page.page_id: QuotedPage(page) for page in self.snapshot.pages})
        if not is_refreshable(trace, changed):
            return None
        if not changed:
            return _applied(self.present, {}, set(), Usage())
        checked, usage = self._revised({n: _reason(trace[n]) for n in changed})
        return _applied(self.present, _sentences(checked), _numbers(checked.faults), usage)

    def rewrite(self, positions: Sequence[int], instruction: str) -> RefreshedText:
        """Return the text with the sentences at these positions of its trace written anew.

        A sentence that the model leaves empty is removed. Raises as ``refresh``, and PROVIDER_FAILED if the
        evidence supports no other words.
        """
        checked, usage = self._revised(dict.fromkeys(positions, _ASKED.format(instruction=instruction)))
        revised, dropped = _sentences(checked), _numbers(checked.dropped)
        if not revised and not dropped:
            raise ServiceFailure(
                "PROVIDER_FAILED",
                "The text provider found no other words that the evidence supports.",
                hints=["Ask for something else, or edit the sentences yourself."],
                details={"provider": usage.provider, "model": usage.model, "reason": "unsupported"},
            )
        return _applied(self.present, revised, dropped, usage)

    def _revised(self, reasons: Mapping[int, str]) -> tuple[Checked, Usage]:
        """Return sentences of the trace revised for a reason each, and what the calls used.

        A sentence of the result is at the paragraph of its number in the trace.
        """
        work, trace = self.work, self.present.trace
        material = material_of(self.request, self.snapshot, "full")
        attempt = Attempt(
            lambda note: work.stage("check_claims", note), work.should_stop, work.remaining, work.cache
        )
        calls = Calls(self.providers(), attempt)
        checker = Checker(material, (*material.given, *material.about_site, *material.index.units), calls)
        faults = {Place(0, n, 0): Fault(_sentence(trace[n]), (reason,)) for n, reason in reasons.items()}
        try:
            return checker.revise(_draft_of(trace), faults), calls.usage
        except ServiceFailure as error:
            raise ModelFailed(error.failure, calls.usage) from None


def _sentences(checked: Checked) -> dict[int, Sentence]:
    return {place.paragraph: sentence for place, sentence in checked.replaced.items()}


def _numbers(places: Iterable[Place]) -> set[int]:
    return {place.paragraph for place in places}


def _draft_of(trace: Sequence[Mapping[str, Any]]) -> Draft:
    paragraphs = (Paragraph("p", (_sentence(entry),)) for entry in trace)
    return Draft((Part("section", "", tuple(paragraphs)),))


def _sentence(entry: Mapping[str, Any]) -> Sentence:
    text = entry["sentence"]
    cells = tuple(text.split(CELL_SEPARATOR)) if CELL_SEPARATOR in text else ()
    return Sentence(text, tuple(entry.get("source_ids") or ()), entry["origin"], cells=cells)


def _reason(entry: Mapping[str, Any]) -> str:
    return f"the page does not say “{entry['quote']}” any more: say what it says now, or leave the text empty"


def _applied(
    present: PresentText, revised: Mapping[int, Sentence], removed: Set[int], usage: Usage
) -> RefreshedText:
    """Return the text with revised sentences and without removed ones, by their numbers in the trace."""
    markdown, description = present.markdown, present.description
    trace: list[TraceEntry] = []
    changes: list[str] = []
    for n, entry in enumerate(present.trace):
        old = entry["sentence"]
        if n not in revised and n not in removed:
            trace.append(entry_from(entry))
            continue
        new = revised[n].text if n in revised else ""
        if old == description:
            description = new or description
        changed = replaced(markdown, old, new)
        if changed is None and old != present.description:
            trace.append(entry_from(entry))
            continue
        markdown = changed or markdown
        changes.append(f"“{old}” → “{new}”" if new else f"Removed: “{old}”")
        if n in revised:
            trace.append(entry_of(revised[n]))
    return RefreshedText(markdown, description, tuple(trace), tuple(changes), usage)
