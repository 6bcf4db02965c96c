"""Sentences an honest or an erring writer may write about two sample sites, each with its label.

tests/fixtures/labelled_sentences.json has one sentence a line: the site, the evidence it names as
``page:block``, the label, the words of the evidence that decide, and the kind of a falsehood.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.drafts import Paragraph, Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.request import GenerationRequest
from app.content.writing.article.checking import Checked, Checker
from app.content.writing.article.draft import Draft, Part
from app.content.writing.article.material import Material, material_of
from app.content.writing.llm.calls import Attempt, Calls
from app.content.writing.llm.questions import NO_CACHE
from app.content.writing.providers.base import Completion, Message, Providers
from app.pages.extraction.blocks import Block
from app.pages.extraction.extract import extract
from app.prices import NO_PRICES
from devtools.local import ROOT
from tests.support.cloze_tests import filled
from tests.support.model_answers import FAULTY, NUMBERED, evidence_in, task_of

LABELLED = ROOT / "tests" / "fixtures" / "labelled_sentences.json"
SITES = {
    "brambleboard": ("Brambleboard", "How to plan a rota", ROOT / "demo" / "site"),
    "hearthline": ("Hearthline", "How to choose a care plan", ROOT / "tests" / "fixtures" / "hearthline"),
}
BY_RULE = frozenset(
    {
        "invented figure",
        "invented price",
        "invented date",
        "invented name",
        "made-up quote",
        "wrong speaker",
    }
)
"""The kinds of falsehoods that show without understanding: in a figure, a name or a quote."""
MOVED = frozenset({"moved figure", "moved figure in prose"})
"""A figure of a table or of a sentence that is another thing's there."""

Answer = tuple[str, str]


@dataclass(frozen=True)
class Labelled:
    """A sentence and what is true of it; ``kind`` is empty for an honest one."""

    site: str
    sentence: str
    evidence: tuple[str, ...]
    label: str
    deciding_words: str = ""
    kind: str = ""

    @property
    def is_honest(self) -> bool:
        return self.label in {"supported", "no_claim"}


@cache
def labelled() -> tuple[Labelled, ...]:
    """Every sentence of the set."""
    read = json.loads(LABELLED.read_text(encoding="utf-8"))
    return tuple(Labelled(**{**each, "evidence": tuple(each["evidence"])}) for each in read)


@cache
def material(site: str) -> Material:
    """What an article about a site is written from."""
    name, topic, folder = SITES[site]
    pages = tuple(_pages(folder))
    request = GenerationRequest(topic=topic)
    snapshot = SourceSnapshot(name, f"https://{site}.example/", {}, "en", pages)
    return material_of(request, snapshot)


@cache
def evidence_of(site: str) -> Mapping[str, EvidenceUnit]:
    """The evidence of a site by the ids of the set, such as ``pricing:b4``."""
    found = material(site)
    paths = {page.page_id: page.url.split("/", 3)[3] for page in found.snapshot.pages}
    return {f"{paths[unit.page_id]}:{block}": unit for unit in found.index.units for block in unit.block_ids}


def sentence_of(each: Labelled) -> Sentence:
    """A labelled sentence as a model's draft has it."""
    units = evidence_of(each.site)
    return Sentence(each.sentence, tuple(units[name].id for name in each.evidence), "model")


def checked(sentences: Sequence[Labelled], answer: Callable[[str, str], Answer]) -> Checked:
    """Check a draft of one site's sentences, each a paragraph, with a verifier that answers so."""
    (site,) = {each.site for each in sentences}
    found = material(site)
    paragraphs = tuple(Paragraph("p", (sentence_of(each),)) for each in sentences)
    verifier = Verifier(answer)
    attempt = Attempt(lambda _: None, lambda: False, lambda: 600.0, NO_CACHE)
    checker = Checker(found, found.index.units, Calls(Providers(verifier, verifier), attempt))
    return checker.check(Draft((Part("section", "All of them", paragraphs),)))


def published(found: Checked) -> frozenset[str]:
    """The texts that are left of a draft."""
    return frozenset(each.sentence.text for each in found.draft.statements)


def by_label(sentence: str, _evidence: str) -> Answer:
    """What an honest verifier says: the label and the deciding words."""
    found = next(each for each in labelled() if each.sentence == sentence)
    return found.label, found.deciding_words


def always_supported(_sentence: str, evidence: str) -> Answer:
    """What a verifier says that agrees with everything and copies the first words that it sees."""
    return "supported", " ".join(evidence.split()[:6])


class Verifier:
    """Answers each sentence by a rule, and gives up every sentence that is to be revised.

    One that agrees with everything reads nothing: it says "yes" in the place of the blanks, too.
    """

    name = "labels"
    model = "labels"
    prices = NO_PRICES

    def __init__(self, answer: Callable[[str, str], Answer]) -> None:
        self._answer = answer
        self._reads = answer is not always_supported

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        deadline: float,
        should_stop: Callable[[], bool],
        note: Callable[[str], None],
    ) -> Completion:
        prompt = messages[-1]["content"]
        made = self._verdicts(prompt) if task_of(messages) == "check sentences" else _given_up(prompt)
        return Completion(json.dumps(made), None, None, self.model)

    def _verdicts(self, prompt: str) -> dict[str, Any]:
        texts = {unit.id: unit.text for unit in evidence_in(prompt)}
        verdicts = []
        for number, ids, shown in NUMBERED.findall(prompt):
            sentence, fillings = filled(shown, (each.sentence for each in labelled()))
            verdict, words = self._answer(sentence, texts.get(ids.partition(",")[0], ""))
            blanks = fillings if self._reads else ["yes"] * len(fillings)
            verdicts.append({"n": int(number), "blanks": blanks, "verdict": verdict, "words": words})
        return {"verdicts": verdicts}


def _given_up(prompt: str) -> dict[str, Any]:
    return {"sentences": [{"n": int(n), "text": "", "evidence": []} for n in FAULTY.findall(prompt)]}


def _pages(folder: Path) -> Iterator[SourcePage]:
    for number, file in enumerate(sorted(folder.rglob("*.html")), 1):
        url = f"https://site.example/{file.relative_to(folder).with_suffix('').as_posix()}"
        read = extract(file.read_bytes(), url, "text/html; charset=utf-8")
        blocks = tuple(Block(**{**asdict(block), "links": ()}) for block in read.blocks)
        yield SourcePage(number, url, read.title, read.description, False, blocks)
