"""Turns a job's payload into the request for an engine: the project fills in what the caller left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, exists, func, select

from app.content.artefacts import page_of
from app.content.model import BlogPost
from app.content.plan import PostPlan, plan_from
from app.content.request import (
    CLEARABLE,
    LENGTHS,
    MOST_CHOSEN,
    MOST_KEYWORDS,
    CallToAction,
    GenerationRequest,
    Include,
    RequestedSection,
)
from app.content.retrieval.page_choice import SourceQuery
from app.infra.db import db
from app.keywords.model import Keyword
from app.language.stems import topic_stems
from app.pages.extraction.blocks import has_words
from app.pages.model import Page
from app.pages.usable import choosable, language_of_pages
from app.projects.model import Project

_MOST_REQUIRED: Final = 5
_LOOKED_THROUGH: Final = 2000
_TRIED: Final = 50
"""Of the next keywords, some may be without words: once they were taken."""


@dataclass(frozen=True)
class Input:
    """The request as the engine takes it, the pages it is confined to, and the project's own models."""

    request: GenerationRequest
    page_ids: tuple[int, ...]
    model: str | None = None
    verify_model: str | None = None

    @property
    def named(self) -> tuple[int, ...]:
        """The pages that the post is confined to, has to use, or has in its plan."""
        return _unique((*self.page_ids, *self.needed))

    @property
    def needed(self) -> tuple[int, ...]:
        """The pages that have to be among the sources: the required ones and those of the caller's plan."""
        plan = self.request.plan or PostPlan()
        cited = filter(None, map(page_of, plan.evidence_ids))
        return _unique((*self.request.required_page_ids, *cited, *(link.page_id for link in plan.links)))

    @property
    def source_query(self) -> SourceQuery:
        """What sources are chosen for.

        The subject is topic and title, else the first keyword. Its aspects are the keywords and the sections
        that were asked for.
        """
        request = self.request
        subject = " ".join(filter(None, (request.topic, request.title)))
        sections = [text for each in request.outline for text in (each.heading, *each.key_points)]
        return SourceQuery(
            subject or next(iter(request.keywords), ""),
            request.language,
            aspects=(*request.keywords, *sections),
            page_ids=self.page_ids,
            required=self.needed,
        )


def prepare(project_id: int, payload: Mapping[str, Any]) -> Input:
    """Return the input of a generation; the caller's value wins over the project's.

    A member that is None counts as left out, but those of ``CLEARABLE``: None or empty, they are declined.
    """
    project = db.session.get_one(Project, project_id)
    asked = {name: value for name, value in payload.items() if value is not None}
    plan = _plan(asked.get("outline"))
    if plan.title:
        asked.setdefault("title", plan.title)
    declined = tuple(name for name in CLEARABLE if name in payload and not payload[name])
    from_project = _defaults_of(project)
    left_open = (name for name in from_project if name not in asked and name not in declined)
    filled = {name: value for name in left_open if (value := from_project[name])}
    given = {"tone": "neutral", "language": language_of_pages(project_id), **asked, **filled}
    links = given.get("internal_links") or {}
    most = links.get("max")
    page_ids = _unique(given.get("page_ids"))
    request = GenerationRequest(
        topic=given.get("topic"),
        title=given.get("title"),
        keywords=_keywords(project_id, asked, given["language"]),
        target_words=given.get("target_words") or LENGTHS[given.get("length", "medium")],
        language=given["language"],
        post_type=given.get("post_type", "auto"),
        audience=given.get("audience"),
        tone=given["tone"],
        instructions=given.get("instructions", ""),
        key_points=_unique(given.get("key_points")),
        avoid=_unique(given.get("avoid")),
        call_to_action=CallToAction(**given["call_to_action"]) if "call_to_action" in given else None,
        outline=tuple(
            RequestedSection(each.heading, each.key_points, each.evidence_ids) for each in plan.sections
        ),
        plan=plan if given.get("outline") else None,
        include=Include(**{"sources": project.list_sources, **given.get("include", {})}),
        fewest_links=links.get("min"),
        most_links=GenerationRequest.most_links if most is None else most,
        slug=given.get("slug"),
        required_page_ids=_unique(given.get("required_page_ids")),
        chosen_page_ids=page_ids if len(page_ids) <= MOST_CHOSEN else (),
        minimum_kind=given.get("minimum_kind", "outline"),
        from_project=tuple(sorted(filled)),
        declined=declined,
        length_asked=bool(asked.keys() & {"length", "target_words"}),
    )
    return Input(request, page_ids, project.llm_model, project.llm_verify_model)


def _defaults_of(project: Project) -> dict[str, Any]:
    """Return what the project fills where the caller leaves it out."""
    return {
        "audience": _line(project.target_audience_summary),
        "tone": project.tone,
        "language": project.language,
        "instructions": project.global_instructions,
        "avoid": project.avoid,
        "call_to_action": project.call_to_action,
        "required_page_ids": _always_used(project.id),
    }


def _plan(outline: Any) -> PostPlan:
    """Return the plan of a payload's outline: a list of sections, or a plan with any of its members."""
    return plan_from(outline if isinstance(outline, Mapping) else {"sections": outline or ()})


def _unique(values: Sequence[Any] | None) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values or ()))


def _line(text: str | None) -> str | None:
    return " ".join(text.split()) if text else None


def _keywords(project_id: int, asked: Mapping[str, Any], language: str) -> tuple[str, ...]:
    """Return the caller's keywords, else the topic's keywords in use, else the next one without a post."""
    given = [*_texts(project_id, asked.get("keyword_ids") or ()), *(asked.get("keywords") or ())]
    if given:
        return _unique(given)
    subject = " ".join(asked[name] for name in ("topic", "title") if name in asked)
    if subject:
        return _contained(project_id, subject, language)
    return tuple(_next_keyword(project_id))


def _texts(project_id: int, keyword_ids: Sequence[int]) -> list[str]:
    rows = db.session.execute(
        select(Keyword.id, Keyword.keyword_text).where(
            Keyword.project_id == project_id, Keyword.id.in_(keyword_ids)
        )
    )
    found = {row.id: row.keyword_text for row in rows}
    texts = (found[keyword_id] for keyword_id in keyword_ids if keyword_id in found)
    return [text for text in texts if has_words(text)]


def _contained(project_id: int, subject: str, language: str) -> tuple[str, ...]:
    """Return the keywords in use whose words the subject contains, the longest first."""
    stems = topic_stems(subject, language)
    texts = db.session.scalars(
        select(Keyword.keyword_text)
        .where(Keyword.project_id == project_id, Keyword.in_use)
        .order_by(Keyword.id)
        .limit(_LOOKED_THROUGH)
    ).all()
    contained = [(len(own), text) for text in texts if (own := topic_stems(text, language)) and own <= stems]
    ranked = sorted(contained, key=lambda each: -each[0])
    return tuple(text for _, text in ranked[:MOST_KEYWORDS])


def _always_used(project_id: int) -> list[int]:
    """Return the pages marked always-use, the oldest first."""
    return list(
        db.session.scalars(
            select(Page.id)
            .where(Page.project_id == project_id, Page.always_use, choosable())
            .order_by(Page.id)
            .limit(_MOST_REQUIRED)
        )
    )


def _has_post() -> ColumnElement[bool]:
    # The count of posts is brought up to date some seconds after a post was saved.
    return exists(
        select(BlogPost.id).where(
            BlogPost.project_id == Keyword.project_id,
            func.lower(BlogPost.primary_keyword) == Keyword.keyword_text,
        )
    )


def _next_keyword(project_id: int) -> list[str]:
    """Return the oldest keyword in use that no post has, if there is one."""
    texts = db.session.scalars(
        select(Keyword.keyword_text)
        .where(Keyword.project_id == project_id, Keyword.in_use, Keyword.covered_posts == 0, ~_has_post())
        .order_by(Keyword.id)
        .limit(_TRIED)
    )
    return [text for text in texts if has_words(text)][:1]
