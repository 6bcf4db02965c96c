"""What an article is made from in the tests of its stages: evidence, a model inside the process, material."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.content.artefacts import SourceSnapshot
from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit, UnitKind
from app.content.request import GenerationRequest
from app.content.writing.article import material
from app.content.writing.article.cloze import Clozes
from app.content.writing.article.draft import Place, Statement
from app.content.writing.article.material import Material
from app.content.writing.llm.calls import Attempt, Calls
from app.content.writing.llm.questions import NO_CACHE
from app.content.writing.providers.base import Completion, Message, Providers
from app.content.writing.veto.evidence import EvidenceSet
from app.pages.extraction.blocks import CELL_SEPARATOR
from app.prices import NO_PRICES
from tests.support import model_answers

Answer = Callable[[str], dict[str, Any]]


def unit(
    unit_id: str, text: str, kind: UnitKind = "paragraph", path: tuple[str, ...] = (), **members: Any
) -> EvidenceUnit:
    """A piece of evidence; its id says its page."""
    page_id = int(unit_id.partition(":")[0]) if unit_id[0].isdigit() else 0
    return EvidenceUnit(unit_id, kind, page_id, "Beehives", path, text, (), **members)


def evidence(*units: EvidenceUnit, given: str = "Bee School") -> EvidenceSet:
    """The evidence of an article of the Bee School."""
    return EvidenceSet(units, given)


def model_says(text: str, *ids: str) -> Sentence:
    """A sentence of a model."""
    return Sentence(text, ids, "model")


@dataclass
class ScriptedModel:
    """A text provider inside the process: it answers by task, well where nothing else is said.

    ``asked`` are the tasks, ``prompts`` the last messages, in order.
    """

    answers: Mapping[str, Answer] = field(default_factory=dict)
    name: str = "scripted"
    model: str = "scripted-1"
    prices: Any = NO_PRICES
    asked: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        deadline: float,
        should_stop: Callable[[], bool],
        note: Callable[[str], None],
    ) -> Completion:
        """Return the answer to a prompt."""
        prompt, task = messages[-1]["content"], model_answers.task_of(messages)
        self.asked.append(task)
        self.prompts.append(prompt)
        made = self.answers[task](prompt) if task in self.answers else model_answers.grounded(messages)
        return Completion(json.dumps(made, ensure_ascii=False), 10, 10, self.model)


def calls_to(writer: ScriptedModel, verifier: ScriptedModel | None = None) -> Calls:
    """The calls of a job that has all the time it needs."""
    attempt = Attempt(lambda _: None, lambda: False, lambda: 60.0, NO_CACHE)
    return Calls(Providers(writer, verifier or writer), attempt)


def material_of(snapshot: SourceSnapshot, **wanted: Any) -> Material:
    """What an article is written from for this request."""
    request = GenerationRequest(**wanted)
    return material.material_of(request, snapshot)


def yes_sayer(words: Callable[[str], str]) -> Answer:
    """A verifier that finds every sentence supported; ``words`` makes what it quotes of the prompt."""

    def answer(prompt: str) -> dict[str, Any]:
        numbers = [int(number) for number, _ids, _text in model_answers.NUMBERED.findall(prompt)]
        said = {"blanks": [], "verdict": "supported", "words": words(prompt)}
        return {"verdicts": [{"n": n, **said} for n in numbers]}

    return answer


def left_out(text: str, *units: EvidenceUnit, language: str = "en", header: Sequence[str] = ()) -> set[str]:
    """What a verifier does not see of a sentence or row that names these units, and has to read in them."""
    cells = tuple(text.split(CELL_SEPARATOR)) if header else ()
    said = Sentence(text, tuple(each.id for each in units), "model", cells=cells)
    statement = Statement(Place(0, 0, 0), "table" if header else "p", said, header=tuple(header))
    return {blank.written for blank in Clozes(evidence(*units), language).of(statement).blanks}
