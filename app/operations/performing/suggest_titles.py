"""How title ideas are found: the work of SUGGEST_TITLES."""

from typing import Any, Final

from app.content.planning.ideas.finding import suggest_titles
from app.content.planning.ideas.material import collect_idea_sources
from app.content.planning.ideas.source import IdeaKeyword, IdeaSource, idea_source
from app.content.retrieval.passages import library_of
from app.content.writing.ideas import Proposed, Wanted, propose_ideas
from app.content.writing.llm.calls import Attempt, Calls
from app.content.writing.providers.registry import is_configured, providers_for
from app.infra.db import db, release
from app.infra.settings import current_settings
from app.keywords.service import keywords_to_cover
from app.operations.base import JobResult, Run
from app.operations.generation import answer_cache_of
from app.operations.suggest_titles import USUAL
from app.pages.extraction.blocks import has_words
from app.pages.usable import language_of_pages
from app.projects.model import Project

MOST_KEYWORDS: Final = 100
"""The number of keywords considered, the most searched first."""

_STAGES: Final = ("collect_sources", "find_ideas")


def perform(run: Run) -> JobResult:
    """Find title ideas. They are the job's result; nothing else is stored."""
    run.progress(_STAGES[0], 0, len(_STAGES))
    chosen = run.payload.get("keyword_ids") or ()
    project = db.session.get_one(Project, run.project_id)
    language = project.language or language_of_pages(run.project_id)
    audience = project.target_audience_summary
    rows = keywords_to_cover(run.project_id, chosen, MOST_KEYWORDS)
    keywords = [
        IdeaKeyword(row.id, row.keyword_text, row.volume) for row in rows if has_words(row.keyword_text)
    ]
    release()
    texts = [keyword.text for keyword in keywords]
    snapshot, named = collect_idea_sources(run.project_id, texts, language, run.should_stop)
    release()
    run.progress(_STAGES[1], 1, len(_STAGES))
    source = idea_source(snapshot, library_of(snapshot.pages, language), named)
    run.check_cancelled()
    wanted = Wanted(keywords, run.payload.get("count") or USUAL, audience, only_these=bool(chosen))
    proposed = _proposed(run, source, wanted)
    ideas = suggest_titles(
        source, keywords, wanted.count, first=proposed.candidates, only_these=wanted.only_these
    )
    result: dict[str, Any] = {
        "ideas": [idea.to_dict() for idea in ideas],
        "pages": len(snapshot.pages),
        "keywords": len(keywords),
        "engine": proposed.engine,
        "model": proposed.usage.model,
        "usage": proposed.usage.taken(),
        "warnings": [*proposed.warnings, *_warnings(len(snapshot.pages), len(ideas))],
    }
    return JobResult(result)


def _proposed(run: Run, source: IdeaSource, wanted: Wanted) -> Proposed:
    """Return what the model proposes; nothing without a model or without evidence to show it."""
    settings = current_settings()
    if not (is_configured(settings) and source.units):
        return Proposed()

    def note(message: str) -> None:
        run.progress(_STAGES[1], 1, len(_STAGES), message)

    project = db.session.get_one(Project, run.project_id)
    providers = providers_for(settings, project.llm_model, project.llm_verify_model)
    release()
    attempt = Attempt(note, run.should_stop, run.remaining, answer_cache_of(run))
    return propose_ideas(source, wanted, Calls(providers, attempt))


def _warnings(pages: int, ideas: int) -> list[str]:
    if not pages:
        return ["No page of the project could be read yet, so the ideas come from keywords alone."]
    if not ideas:
        return ["No idea was found that no page or post is about yet. Add keywords or pages for new ideas."]
    return []
