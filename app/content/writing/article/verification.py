"""Verification: a model checks each sentence against its evidence, claim by claim, and we check its quotes.

The method is fact-checking against documents (Tang, Laban and Durrett, "MiniCheck", 2024): models judge
single claims well and whole texts badly. Figures and names are left out of what it sees, and have to be read
in the evidence. The words that it copies must be in the evidence, and become the trace of the sentence. Those
for a sum may also be in the topic or in a sum before it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from app.content.drafts import Sentence
from app.content.evidence.quotes import is_quoted_from
from app.content.evidence.units import EvidenceUnit
from app.content.writing.article import check_prompts
from app.content.writing.article.answers import Verdict, read_verdicts
from app.content.writing.article.check_prompts import Frame
from app.content.writing.article.cloze import Cloze, Clozes
from app.content.writing.article.draft import Place, Statement
from app.content.writing.article.schemas import VERIFICATION
from app.content.writing.article.shown_evidence import halved, said_of, shortened_to_fit
from app.content.writing.llm.calls import Calls
from app.content.writing.llm.questions import Question
from app.content.writing.providers.base import Message
from app.content.writing.veto.code import has_new_code, is_copied
from app.content.writing.veto.evidence import EvidenceSet, tokens_of_units
from app.language.words import fold

PACK_SENTENCES: Final = 60
"""At most so many sentences a call, as an article of 1,000 words has: that leaves calls to revise twice."""
_PACK_TOKENS: Final = 9_000
_SHOWN_TOKENS: Final = 6_000
"""The evidence in a prompt; of more, the longest units are cut to what sentences are nearest to."""
_VERIFIED_KINDS: Final = frozenset({"p", "ul", "ol", "table"})
"""The other kinds need no model: quotes and listings are compared literally, sub-headings state nothing.

A line of a listing that is put together from several places of the evidence is verified, too.
"""


_UNPROVED: Final = "nothing in the evidence says that the parts of this code go together"


@dataclass(frozen=True)
class Verified:
    """A verified sentence, with the quoted words of its evidence, or with its faults."""

    sentence: Sentence
    faults: tuple[str, ...] = ()


def verify(
    statements: Sequence[Statement],
    evidence: EvidenceSet,
    clozes: Clozes,
    calls: Calls,
    given: Frame,
    starts: Callable[[Statement], Sequence[str]],
) -> dict[Place, Verified]:
    """Return the result for each statement of an article.

    ``starts`` gives the texts beside its evidence that a sentence works a figure out from. Raises
    ServiceFailure.
    """
    checked = [each for each in statements if _needs_verdict(each, evidence)]
    quoted = {
        each.place: Verified(
            replace(each.sentence, quote=each.sentence.text if each.kind != "heading" else "")
        )
        for each in statements
        if each not in checked
    }
    packs = list(_packs(checked, evidence))
    tests = {each.place: clozes.of(each) for each in checked}
    answers = calls.ask_all([_question(pack, evidence, tests, given, clozes.language) for pack in packs])
    for pack, verdicts in zip(packs, answers, strict=True):
        for number, each in enumerate(pack, 1):
            quoted[each.place] = _judged(each, verdicts[number], evidence, tests[each.place], starts)
    return quoted


def _needs_verdict(each: Statement, evidence: EvidenceSet) -> bool:
    if each.kind == "code":
        return not is_copied(each.sentence.text, evidence.cited(each.sentence.source_ids))
    return each.kind in _VERIFIED_KINDS


def _packs(statements: Sequence[Statement], evidence: EvidenceSet) -> Iterator[list[Statement]]:
    """Yield the statements in runs of equal length whose evidence fits into one prompt."""
    longest = ceil(len(statements) / ceil(len(statements) / PACK_SENTENCES)) if statements else 0
    pack: list[Statement] = []
    ids: set[str] = set()
    for each in statements:
        wider = ids | set(each.sentence.source_ids)
        too_much = tokens_of_units(evidence.cited(sorted(wider))) > _PACK_TOKENS
        if pack and (len(pack) == longest or too_much):
            yield pack
            pack, wider = [], set(each.sentence.source_ids)
        pack.append(each)
        ids = wider
    if pack:
        yield pack


def _question(
    pack: Sequence[Statement],
    evidence: EvidenceSet,
    tests: Mapping[Place, Cloze],
    given: Frame,
    language: str,
) -> Question[Mapping[int, Verdict]]:
    said = said_of(each.sentence for each in pack)
    as_shown = [(each, tests[each.place].text) for each in pack]
    units = shortened_to_fit(evidence.cited(said), said, _SHOWN_TOKENS, language, proves=True)

    def messages(shown: Sequence[EvidenceUnit]) -> tuple[Message, ...]:
        return (check_prompts.checker(), check_prompts.verification(as_shown, shown, given))

    with_blanks = [number for number, each in enumerate(pack, 1) if tests[each.place].blanks]
    reader = read_verdicts(range(1, len(pack) + 1), with_blanks)
    less = halved(units, said, language)
    return Question(messages(units), messages(less), VERIFICATION, reader, verifies=True)


def _judged(
    statement: Statement,
    found: Verdict,
    evidence: EvidenceSet,
    test: Cloze,
    starts: Callable[[Statement], Sequence[str]],
) -> Verified:
    sentence = statement.sentence
    cited = evidence.cited(sentence.source_ids)
    if found.verdict == "no_claim":
        is_new = statement.kind == "code" or has_new_code(sentence, cited)
        unproved = (_UNPROVED,) if is_new and sentence.source_ids else ()
        # A figure that the evidence has is a claim, whatever the verdict.
        return Verified(sentence, (*unproved, *test.faults(found.blanks, figures_only=True)))
    if found.verdict != "supported":
        return Verified(sentence, (_fault(found),))
    if not sentence.source_ids:
        return Verified(sentence, ("it states a fact and names no evidence",))
    otherwise = tuple(test.faults(found.blanks))
    if otherwise:
        return Verified(sentence, otherwise)
    source = next((u for u in cited if is_quoted_from(found.words, f"{u.about} {u.text}")), None)
    if source is None and any(is_quoted_from(found.words, text) for text in starts(statement)):
        return Verified(sentence)  # The trace has words of evidence only.
    if source is None:
        return Verified(sentence, ("no words of the evidence that it names say this",))
    ids = (source.id, *(each for each in sentence.source_ids if each != source.id))
    return Verified(replace(sentence, source_ids=ids, quote=fold(found.words)))


def _fault(found: Verdict) -> str:
    words = fold(found.words)
    if found.verdict == "contradicted":
        return f"the evidence says otherwise: “{words}”" if words else "the evidence says otherwise"
    nearest = f"; the nearest it says is “{words}”" if words else ""
    return f"the evidence that it names does not say all of this{nearest}"
