"""Keywords that a site's own pages already speak of: the names of its pages that are search phrases."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from sqlalchemy import select

from app.content.evidence.sections import clean_heading, is_imprint, is_question, names_the_site
from app.infra.db import db
from app.keywords.texts import fold_keyword
from app.language.stems import content_stems
from app.language.words import words
from app.pages.model import Page, PageContent
from app.pages.usable import language_of_pages, usable
from app.pages.vocabulary import name_of, weight_of_name
from app.projects.model import Project

LOOKED_AT: Final = 100
"""Pages whose names are considered."""
_WORDS: Final = range(2, 6)
_LONGEST: Final = 60


class NamedWords(NamedTuple):
    """What a page is called, and the words that it counts."""

    title: str | None
    headings: str | None
    counted: str | None


def suggest_keywords(project: Project, most: int) -> list[str]:
    """Return at most ``most`` keywords that pages are named after, what they say most about first."""
    language = project.language or language_of_pages(project.id)
    rows = db.session.execute(
        select(Page.title, PageContent.headings, PageContent.words)
        .join(PageContent, PageContent.page_id == Page.id)
        .where(Page.project_id == project.id, usable())
        .order_by(Page.id)
        .limit(LOOKED_AT)
    )
    return named_subjects((NamedWords(*row) for row in rows), project.name, language)[:most]


def named_subjects(pages: Iterable[NamedWords], site: str, language: str) -> list[str]:
    """Return the names of pages that are search phrases, what their pages say most about first (pure).

    The site's own name, questions, imprints and names such as "Overview" are left out.
    """
    own = content_stems(site, language)
    weights: dict[str, int] = {}
    for page in pages:
        name = clean_heading(name_of(page.title, page.headings or ""))
        if not _is_phrase(name, language) or names_the_site(name, own, language):
            continue
        keyword = fold_keyword(name)
        weights.setdefault(keyword, weight_of_name(page.counted or "", name))
    return sorted(weights, key=lambda keyword: (-weights[keyword], keyword))


def _is_phrase(name: str, language: str) -> bool:
    is_short = len(words(name)) in _WORDS and len(name) <= _LONGEST
    return is_short and not is_question(name, language) and not is_imprint(name)
