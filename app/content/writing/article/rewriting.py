"""The rewriting of a part of an article: its sentences are revised as an editor asks, within their evidence.

sentences of the part → revise with the instruction → veto + verify → new text; a sentence that has no
supported new form stays
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.content.artefacts import SourceSnapshot
from app.content.rendering.replacing import contains
from app.content.rendering.sections import text_under
from app.content.request import GenerationRequest
from app.content.writing.article.refreshing import PresentText, RefreshedText, applied, revised_sentences
from app.content.writing.article.writer import Work
from app.content.writing.providers.base import Providers
from app.failures import ServiceFailure

_WRITTEN: Final = frozenset({"model", "source"})
_ASKED: Final = (
    "it is supported, but the editor wants it written anew: “{instruction}”. Do so within the evidence; "
    "leave the text empty only if the instruction asks for less"
)


def sentences_of(present: PresentText, heading: str | None = None, sentence: str | None = None) -> list[int]:
    """Return the positions in the trace of the sentences of a part that are still in the text.

    The part is the section under a heading, or one sentence. Headings and fixed lines are left out.
    """
    text = present.markdown if heading is None else text_under(present.markdown, heading)
    if text is None:
        return []
    return [n for n, entry in enumerate(present.trace) if _is_of(entry, text, sentence)]


def rewrite_part(
    present: PresentText,
    positions: Sequence[int],
    instruction: str,
    request: GenerationRequest,
    snapshot: SourceSnapshot,
    providers: Providers,
    work: Work,
) -> RefreshedText:
    """Return the text with the sentences at these positions written anew as the instruction asks.

    A sentence that the model leaves empty is removed. Raises ModelFailed, PROVIDER_FAILED if no sentence got
    a supported new form, and what ``work.stage`` raises.
    """
    reason = _ASKED.format(instruction=instruction)
    checked, usage = revised_sentences(
        present, dict.fromkeys(positions, reason), request, snapshot, providers, work
    )
    revised = {place.paragraph: sentence for place, sentence in checked.replaced.items()}
    dropped = {place.paragraph for place in checked.dropped}
    if not revised and not dropped:
        raise ServiceFailure(
            "PROVIDER_FAILED",
            "The text provider found no other words that the evidence supports.",
            hints=["Ask for something else, or edit the sentences yourself."],
            details={"provider": usage.provider, "model": usage.model, "reason": "unsupported"},
        )
    return applied(present, revised, dropped, usage)


def _is_of(entry: Mapping[str, Any], text: str, sentence: str | None) -> bool:
    if entry["origin"] not in _WRITTEN or (sentence is not None and entry["sentence"] != sentence):
        return False
    return contains(text, entry["sentence"])
