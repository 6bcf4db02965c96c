"""Title ideas by a language model: one call with the best evidence, and the checks of its answer."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from typing import Final, Literal, TypeVar

from app.content.drafts import Usage
from app.content.evidence.units import EvidenceUnit
from app.content.planning.ideas.source import Candidate, IdeaKeyword, IdeaSource
from app.content.writing.article import schemas
from app.content.writing.article.idea_prompts import ProposedIdea, propose, read_ideas, system
from app.content.writing.llm.calls import Calls
from app.content.writing.llm.questions import Question
from app.content.writing.llm.reasons import why_no_text
from app.content.writing.providers.base import Message
from app.content.writing.writers import OWN_FAILURES
from app.failures import ServiceFailure
from app.language.stems import topic_stems
from app.language.words import tokens_in

T = TypeVar("T")

EVIDENCE_TOKENS: Final = 9_000
NAME_TOKENS: Final = 3_000
_MOST_KEYWORDS: Final = 40
_READERS: Final = "interested readers"
_KINDS: Final = ("table", "price", "list", "quote", "definition", "paragraph", "code")
"""The kinds of evidence, the best for a post first."""
_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Wanted:
    """The number of ideas, their keywords and readers; ``only_these`` excludes other keywords."""

    keywords: Sequence[IdeaKeyword]
    count: int
    audience: str | None = None
    only_these: bool = False


@dataclass(frozen=True)
class Proposed:
    """The ideas of a model and its usage; both empty without a model."""

    candidates: tuple[Candidate, ...] = ()
    usage: Usage = field(default_factory=Usage)
    engine: Literal["llm", "extractive"] = "extractive"
    warnings: tuple[str, ...] = ()


def propose_ideas(source: IdeaSource, wanted: Wanted, calls: Calls) -> Proposed:
    """Return the ideas of a model that have evidence and no unknown figure.

    The caller removes ideas that existing pages and posts cover. If the provider fails, there are no ideas
    and a warning. Raises CANCELED and JOB_TIMEOUT, and what the calls' notes raise.
    """
    try:
        answered = calls.ask(_question(source, wanted))
    except ServiceFailure as error:
        if error.failure.code in OWN_FAILURES:
            raise
        warning = f"{why_no_text(error.failure)}, so these ideas come from the pages and keywords alone."
        return Proposed(usage=replace(Usage(), **calls.usage.taken()), warnings=(warning,))
    units = {unit.id: unit for unit in source.units}
    made = (_candidate(idea, units, source.language) for idea in answered)
    return Proposed(tuple(filter(None, made)), calls.usage, "llm")


def _question(source: IdeaSource, wanted: Wanted) -> Question[tuple[ProposedIdea, ...]]:
    texts = [keyword.text for keyword in wanted.keywords[:_MOST_KEYWORDS]]
    names = list(_within(_names(source), NAME_TOKENS, str))
    rules = system(source.project_name, source.language, wanted.audience or _READERS)

    def messages(tokens: int) -> tuple[Message, ...]:
        units = best_units(source.units, tokens)
        return rules, propose(wanted.count, texts, names, units, only_these=wanted.only_these)

    return Question(messages(EVIDENCE_TOKENS), messages(EVIDENCE_TOKENS // 2), schemas.IDEAS, read_ideas)


def best_units(units: Sequence[EvidenceUnit], tokens: int) -> tuple[EvidenceUnit, ...]:
    """Return about ``tokens`` tokens of evidence, in turn from each page, tables and prices before prose."""
    by_page: defaultdict[int, list[EvidenceUnit]] = defaultdict(list)
    for unit in sorted(units, key=lambda each: _KINDS.index(each.kind)):
        by_page[unit.page_id].append(unit)
    in_turn = chain.from_iterable(zip_longest(*(by_page[page_id] for page_id in sorted(by_page))))
    return tuple(_within(filter(None, in_turn), tokens, _said))


def _names(source: IdeaSource) -> Iterable[str]:
    """Return the names of pages and posts, each once."""
    pages = (name for page in source.named for name in page.names)
    return dict.fromkeys(chain((post.title for post in source.posts), pages))


def _within(items: Iterable[T], tokens: int, text_of: Callable[[T], str]) -> Iterator[T]:
    """Yield the first items whose texts have together up to a number of tokens."""
    for each in items:
        tokens -= tokens_in(text_of(each))
        if tokens < 0:
            return
        yield each


def _said(unit: EvidenceUnit) -> str:
    return f"{unit.about}\n{unit.text}"


def _candidate(idea: ProposedIdea, units: Mapping[str, EvidenceUnit], language: str) -> Candidate | None:
    """Return an idea with its evidence; None without evidence, or with a figure that it does not contain."""
    evidence = [units[each] for each in idea.evidence if each in units]
    known = set(_FIGURE.findall("\n".join(map(_said, evidence))))
    said = set(_FIGURE.findall(f"{idea.title} {idea.question} {idea.why}"))
    if not evidence or not said <= known:
        return None
    return Candidate(
        origin="model",
        title=idea.title,
        topic=idea.title,
        stems=topic_stems(idea.title, language),
        why=idea.why,
        page_ids=tuple(dict.fromkeys(unit.page_id for unit in evidence)),
        question=idea.question or None,
    )
