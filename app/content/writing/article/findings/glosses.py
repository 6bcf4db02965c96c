"""Explanations in brackets: too many of them, or in a table. Pure."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from app.content.drafts import Sentence
from app.content.rendering.markdown import shown
from app.content.writing.article.draft import Draft, Statement
from app.content.writing.article.findings.finding import Finding
from app.language.words import fold

_IN_BRACKETS: Final = re.compile(r"\(([^()\d]{4,60})\)")
"""A gloss has no figure; a longer text in brackets is an aside."""
_ENOUGH: Final = 4


def many_glosses(draft: Draft, evidence_of: Callable[[Sentence], str]) -> Iterator[Finding]:
    """Yield a finding for each sentence with a gloss in a table, or with one after the fourth.

    What the evidence says in brackets is the site's own and no gloss.
    """
    in_prose = 0
    for each in draft.statements:
        glosses = _glosses(each, evidence_of)
        if each.kind == "table":
            if glosses:
                yield Finding(
                    each.place, glosses[0], "explains a word in a table: do it before, or not at all"
                )
            continue
        in_prose += len(glosses)
        if glosses and in_prose > _ENOUGH:
            advice = f"is explanation {in_prose} in brackets: does this reader need it? Four are many"
            yield Finding(each.place, glosses[0], advice)


def _glosses(each: Statement, evidence_of: Callable[[Sentence], str]) -> list[str]:
    if each.kind == "code":
        return []
    found = _IN_BRACKETS.findall(shown(each.sentence.text))
    known = fold(evidence_of(each.sentence)).lower() if found else ""
    return [said for said in found if fold(said).lower() not in known]
