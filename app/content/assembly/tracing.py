"""The trace of a post: the source of each sentence. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any

from app.content.artefacts import evidence_id, page_of
from app.content.drafts import Sentence, TraceEntry


def entry_of(sentence: Sentence) -> TraceEntry:
    """Trace a drafted sentence to its first source page, if any."""
    is_copy = sentence.origin == "source"
    named = sentence.source_ids if is_copy else filter(page_of, sentence.source_ids)
    first = next(iter(named), "")
    page_id, _, block_id = first.partition(":")
    return TraceEntry(
        sentence=sentence.text,
        page_id=int(page_id) if first else None,
        block_id=block_id if first else None,
        origin=sentence.origin,
        source_ids=() if is_copy and len(sentence.source_ids) == 1 else sentence.source_ids,
        quote="" if is_copy else sentence.quote,
        worked_out=sentence.worked_out,
    )


def entry_from(stored: Mapping[str, Any]) -> TraceEntry:
    """Return a stored entry; older ones lack members."""
    return TraceEntry(
        stored["sentence"],
        stored["page_id"],
        stored["block_id"],
        stored["origin"],
        tuple(stored.get("source_ids") or ()),
        stored.get("quote") or "",
        tuple(stored.get("worked_out") or ()),
    )


def from_template(text: str) -> TraceEntry:
    """Trace one of the fixed lines."""
    return TraceEntry(text, None, None, "template")


def from_input(text: str) -> TraceEntry:
    """Trace a text of the caller or the project: keywords, questions, page names."""
    return TraceEntry(text, None, None, "input")


def from_page(text: str, source: str) -> TraceEntry:
    """Trace a page's own words to their block."""
    page_id, _, block_id = source.partition(":")
    return TraceEntry(text, int(page_id), block_id, "source")


def origins(trace: Iterable[Mapping[str, Any]], sources: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the stored trace of a post in a readable form, in the order of the text.

    Each entry has the ``sentence``, its ``origin``, the ``quote`` of the supporting evidence (or None), and
    those of the post's ``sources`` that it uses.
    """
    pages = {source["page_id"]: source for source in sources}
    return [
        {
            "sentence": entry["sentence"],
            "origin": entry["origin"],
            "quote": quote_of(entry),
            "sources": [pages[page_id] for page_id in _pages_of(entry) if page_id in pages],
        }
        for entry in trace
    ]


def quote_of(entry: Mapping[str, Any]) -> str | None:
    """Return the words of the evidence: the verifier's quote, or a page's own sentence."""
    return entry.get("quote") or (entry["sentence"] if entry["origin"] == "source" else None)


def source_ids_of(entry: Mapping[str, Any]) -> Iterable[str]:
    """Return the passages of pages that a stored entry rests on, as ``page:block``, each once."""
    first = evidence_id(entry["page_id"], entry["block_id"]) if entry["page_id"] else ""
    return dict.fromkeys(source for source in (first, *entry["source_ids"]) if page_of(source))


def _pages_of(entry: Mapping[str, Any]) -> Iterable[int | None]:
    """Return the pages of a stored entry, each once, the first one first."""
    return dict.fromkeys([entry["page_id"], *map(page_of, entry["source_ids"])])
