"""The rewriting of a part of an article: its sentences are revised as an editor asks, within their evidence.

sentences of the part → revise with the instruction → veto + verify → new text; a sentence that has no
supported new form stays
"""

from collections.abc import Sequence
from typing import Final

from app.content.artefacts import SourceSnapshot
from app.content.drafts import PresentText, RefreshedText
from app.content.request import GenerationRequest
from app.content.writing.article.refreshing import applied, revised_sentences
from app.content.writing.article.writer import Work
from app.content.writing.providers.base import Providers
from app.failures import ServiceFailure

_ASKED: Final = (
    "it is supported, but the editor wants it written anew: “{instruction}”. Do so within the evidence; "
    "leave the text empty only if the instruction asks for less"
)


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
