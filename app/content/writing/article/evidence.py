"""What a model is shown: passages with their ids, the points of the caller, the facts of the project."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.content.artefacts import SourceSnapshot
from app.content.evidence.ids import evidence_id
from app.content.language.text import fold
from app.content.language.tokens import tokens_in
from app.content.request import GenerationRequest
from app.content.retrieval.passages import Library, Passage
from app.content.retrieval.selection import query_of

PACK_TOKENS: Final = 6_000
PACK_PASSAGES: Final = 24
_LONGEST: Final = 4_000
_FACT: Final = 1_500
_OF_REQUIRED: Final = 8


@dataclass(frozen=True)
class Proof:
    """A text that may be cited by its id; ``about`` are the headings above it, ``page_id`` None if given.

    ``heading`` is the one right above it, which the site wrote in the block ``heading_id``.
    """

    id: str
    text: str
    about: str = ""
    page_id: int | None = None
    heading: str = ""
    heading_id: str | None = None

    @property
    def words(self) -> str:
        """Everything it says, headings included."""
        return f"{self.about}\n{self.text}"


def proof_of(passage: Passage) -> Proof:
    """Return a passage as something to cite."""
    section = passage.section
    page_id, heading_block = section.page.page_id, section.heading_block
    return Proof(
        id=evidence_id(page_id, passage.block.id),
        text=fold(passage.block.text)[:_LONGEST],
        about=" › ".join(section.path),
        page_id=page_id,
        heading=section.heading,
        heading_id=evidence_id(page_id, heading_block) if heading_block else None,
    )


def given_proofs(request: GenerationRequest, snapshot: SourceSnapshot) -> tuple[Proof, ...]:
    """Return what the caller vouches for and what the project says of itself."""
    points = [Proof(f"key:{n}", fold(text)) for n, text in enumerate(request.key_points, 1)]
    facts = [
        Proof(f"project:{name}", fold(text)[:_FACT], name.replace("_", " "))
        for name, text in snapshot.project_facts.items()
        if fold(text)
    ]
    return (*points, *facts)


def find(
    library: Library, subject: str, keywords: Sequence[str] = (), required: Collection[int] = ()
) -> tuple[Proof, ...]:
    """Return the passages on a subject within one pack: the best of required pages, then the best of all."""
    hits = library.index.search(query_of(subject, tuple(keywords), library.language))
    found = [passage for passage, _ in hits]
    of_required = [passage for passage in found if passage.section.page.page_id in required]
    return within_pack(map(proof_of, [*of_required[:_OF_REQUIRED], *found]))


def within_pack(proofs: Iterable[Proof]) -> tuple[Proof, ...]:
    """Return the first proofs that fit into one call: 6,000 tokens, 24 passages."""
    taken: dict[str, Proof] = {}
    left = PACK_TOKENS
    for proof in proofs:
        left -= 0 if proof.id in taken else tokens_in(proof.words)
        if left < 0 or len(taken) == PACK_PASSAGES:
            break
        taken[proof.id] = proof
    return tuple(taken.values())


def half_of(proofs: Sequence[Proof]) -> tuple[Proof, ...]:
    """Return the better half, for a model that cannot take them all."""
    return tuple(proofs[: max(1, len(proofs) // 2)])


def by_id(proofs: Iterable[Proof]) -> Mapping[str, Proof]:
    """Return proofs under their ids."""
    return {proof.id: proof for proof in proofs}
