"""The sentences of a post that rest on words which its pages no longer have, as they now stand. Pure."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from app.content.artefacts import page_of
from app.content.drafts import PresentText
from app.content.evidence.quotes import QuotedPage, outdated
from app.content.rendering.html import render_html
from app.content.rendering.marking import Said, mark_sentences
from app.language.sentences import sentences
from app.language.stems import content_stems


def outdated_sentences(present: PresentText, language: str, pages: Mapping[int, QuotedPage]) -> Sequence[str]:
    """Return the sentences whose quote none of their ``pages`` has any more, each once.

    Of a sentence that a person edited, what it has become is returned, while it says what is gone.
    """
    trace = present.trace
    positions = outdated(trace, pages)
    if not positions:
        return ()
    wanted = [Said(entry["sentence"]) for entry in trace]
    shown = mark_sentences(render_html(present.markdown), wanted, others=True).shown
    own = [said.text for number, said in shown.items() if number >= len(trace)]
    found: list[str] = []
    for position in positions:
        if position in shown:
            found.append(shown[position].text)
            continue
        gone = _gone(trace[position], language, pages)
        old = set(content_stems(trace[position]["sentence"], language))
        found += [each for each in own if _has_become(old, gone, set(content_stems(each, language)))]
    return tuple(dict.fromkeys(found))


def _gone(entry: Mapping[str, Any], language: str, pages: Mapping[int, QuotedPage]) -> Set[str]:
    """Return the words of a quote that the line most like it lacks, and the figures worked out from it."""
    quoted = set(content_stems(entry["quote"], language))
    own = {page_of(source) for source in entry["source_ids"]}
    lines = (line for page_id in own if page_id in pages for line in pages[page_id].lines)
    said = (set(content_stems(each, language)) for line in lines for each in sentences(line))
    nearest = max(said, key=lambda words: len(words & quoted), default=set())
    return (quoted - nearest) | set(content_stems(" ".join(entry.get("worked_out") or ()), language))


def _has_become(old: Set[str], gone: Set[str], new: Iterable[str]) -> bool:
    """Return whether a sentence is mostly the old one, shortened or extended, and says what is gone."""
    words = set(new)
    return bool(gone & words) and 2 * len(old & words) > min(len(old), len(words))
