"""All findings in a draft, in the order of the text. Pure."""

from collections.abc import Callable

from app.content.drafts import Sentence
from app.content.writing.article.draft import Draft
from app.content.writing.article.findings.finding import Finding
from app.content.writing.article.findings.form import (
    dates_without_year,
    faulty_tables,
    long_sections,
    lost_pointers,
    unnamed_in_headings,
    unreachable_closing,
)
from app.content.writing.article.findings.glosses import many_glosses
from app.content.writing.article.findings.repetition import (
    crammed_phrase,
    echoed_headings,
    empty_answers,
    said_twice,
)


def findings_in(
    draft: Draft,
    keyphrase: str,
    language: str,
    evidence_of: Callable[[Sentence], str],
    *,
    is_invited: bool,
) -> tuple[Finding, ...]:
    """Return the findings in a draft.

    ``evidence_of`` returns the text of what a sentence names. ``is_invited`` says whether a call to action
    stands behind the closing.
    """
    found = [
        *echoed_headings(draft, keyphrase, language),
        *said_twice(draft, language),
        *empty_answers(draft, language),
        *faulty_tables(draft, language),
        *long_sections(draft),
        *lost_pointers(draft, language),
        *dates_without_year(draft, evidence_of),
        *unnamed_in_headings(draft, language),
        *many_glosses(draft, evidence_of),
        *(() if is_invited else unreachable_closing(draft, language)),
    ]
    found.sort(key=lambda finding: finding.place or ())
    return (*found, *crammed_phrase(draft, keyphrase, language))
