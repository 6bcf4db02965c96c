"""Projects: one website each, unique by its URL in an account."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import func, select, update

from app.accounts.limits import project_limit
from app.accounts.model import Account
from app.failures import ServiceFailure, invalid_field
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.fields import clean_text, outbound_url, refuse_unknown, required_text
from app.infra.urls import host_of, readable
from app.projects.model import Project
from app.projects.voice import MOST_INSTRUCTIONS, clean_avoid, clean_call_to_action

TONES: Final = ("neutral", "friendly", "casual", "formal", "expert", "persuasive")
TEXT_LIMITS: Final[Mapping[str, int]] = {
    "name": 200, "language": 35, "location": 200, "type": 80, "summary": 5000, "blog_theme": 5000,
    "key_features": 5000, "target_audience_summary": 5000, "pain_points": 5000, "product_usage": 5000,
    "founders": 5000, "links": 5000, "tone": 20, "global_instructions": MOST_INSTRUCTIONS,
    "llm_model": 150, "llm_verify_model": 150,
}  # fmt: skip
"""The members that are plain text, each with the number of characters it may have."""

_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")


def _clean_colour(value: Any) -> str | None:
    text = clean_text("brand_color", value, 7)
    if text is not None and not _COLOUR.fullmatch(text):
        raise invalid_field("/brand_color", "This is not a colour such as #0b6b57.")
    return text.lower() if text else None


def _clean_flag(value: Any) -> bool:
    if value is not None and not isinstance(value, bool):
        raise invalid_field("/list_sources", "This is true or false.")
    return bool(value)


_CLEANED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "avoid": clean_avoid,
    "call_to_action": clean_call_to_action,
    "brand_color": _clean_colour,
    "list_sources": _clean_flag,
}

CHANGEABLE: Final = frozenset({*TEXT_LIMITS, *_CLEANED, "sitemap_url"})

MODEL: Final = r"[!-~]+"
"""A model's name: ASCII without spaces."""

LANGUAGE: Final = r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*"
"""A language tag, near enough."""


def create_project(account: Account, fields: Mapping[str, Any]) -> Project:
    """Make a project of an account; its first sync, or the search for its sitemap, is due at once.

    ``fields`` are the members of the contract: ``url`` and any of CHANGEABLE; the name defaults to the host.
    Raises INVALID_REQUEST, URL_NOT_ALLOWED, PROJECT_ALREADY_EXISTS (details.project_id) and LIMIT_REACHED.
    """
    refuse_unknown(fields, CHANGEABLE | {"url"})
    url = outbound_url(required_text("url", fields.get("url"), 2048), "/url")
    values = _clean(fields)
    values["name"] = values.get("name") or readable(host_of(url))
    # One create at a time in an account, or two could pass the rules below together.
    owner = db.session.scalars(
        select(Account).where(Account.id == account.id).with_for_update(key_share=True)
    ).one()
    _refuse_twin(owner.id, url)
    _check_limit(owner)
    project = Project(account_id=owner.id, url=url, next_sync_at=utc_now(), **values)
    db.session.add(project)
    db.session.commit()
    return project


def update_project(project: Project, changes: Mapping[str, Any]) -> Project:
    """Change the given members; None clears one that may be empty.

    Another sitemap URL makes a sync due at once, none at all ends the syncs. Raises INVALID_REQUEST and
    URL_NOT_ALLOWED.
    """
    refuse_unknown(changes, CHANGEABLE)
    values = _clean(changes)
    if "name" in values and values["name"] is None:
        raise invalid_field("/name", "This is required.")
    if "sitemap_url" in values and values["sitemap_url"] != project.sitemap_url:
        project.next_sync_at = utc_now() if values["sitemap_url"] else None
    for name, value in values.items():
        setattr(project, name, value)
    db.session.commit()
    return project


def get_project(account_id: int, project_id: int) -> Project:
    """Return an account's project. Raises PROJECT_NOT_FOUND, for another account's project too."""
    project = db.session.get(Project, project_id)
    if project is None or project.account_id != account_id:
        raise ServiceFailure("PROJECT_NOT_FOUND")
    return project


def find_project(project_id: int) -> Project:
    """Return a project whoever owns it, for operators. Raises PROJECT_NOT_FOUND."""
    project = db.session.get(Project, project_id)
    if project is None:
        raise ServiceFailure("PROJECT_NOT_FOUND")
    return project


def list_projects(account_id: int, page: int, page_size: int) -> tuple[Sequence[Project], int]:
    """Return one page of an account's projects, newest first, and how many there are in all."""
    rows = db.session.scalars(
        select(Project)
        .where(Project.account_id == account_id)
        .order_by(Project.created_at.desc(), Project.id.desc())
        .offset((page - 1) * page_size)
        .limit(page_size)
    ).all()
    return rows, count_projects(account_id)


def count_projects(account_id: int) -> int:
    """Return how many projects an account has."""
    statement = select(func.count()).select_from(Project).where(Project.account_id == account_id)
    return db.session.scalar(statement) or 0


def ask_for_coverage(project_id: int) -> None:
    """Have the next sweep count anew which keywords the project's pages and posts target.

    Call it with what changes a page or post, in its transaction; nothing is committed here.
    """
    db.session.execute(
        update(Project)
        .where(Project.id == project_id)
        # The project itself did not change.
        .values(coverage_due_at=utc_now(), updated_at=Project.updated_at)
        .execution_options(synchronize_session=False)
    )


def _refuse_twin(account_id: int, url: str) -> None:
    twin = db.session.scalar(select(Project.id).where(Project.account_id == account_id, Project.url == url))
    if twin is not None:
        db.session.rollback()
        raise ServiceFailure("PROJECT_ALREADY_EXISTS", details={"project_id": twin})


def _check_limit(account: Account) -> None:
    limit = project_limit(account)
    if limit is not None and count_projects(account.id) >= limit:
        db.session.rollback()
        raise ServiceFailure(
            "LIMIT_REACHED", f"The account may have {limit} projects.", details={"project_limit": limit}
        )


def _clean(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given members as they are stored."""
    values: dict[str, Any] = {
        name: clean_text(name, fields[name], TEXT_LIMITS[name]) for name in fields if name in TEXT_LIMITS
    }
    values |= {name: clean(fields[name]) for name, clean in _CLEANED.items() if name in fields}
    if "sitemap_url" in fields:
        given = clean_text("sitemap_url", fields["sitemap_url"], 2048)
        values["sitemap_url"] = outbound_url(given, "/sitemap_url") if given else None
    tone, language = values.get("tone"), values.get("language")
    if tone is not None and tone not in TONES:
        raise invalid_field("/tone", f"This must be one of {', '.join(TONES)}.")
    if language is not None and not re.fullmatch(LANGUAGE, language):
        raise invalid_field("/language", "This is not a language tag such as en or pt-BR.")
    for name in ("llm_model", "llm_verify_model"):
        if values.get(name) and not re.fullmatch(MODEL, values[name]):
            raise invalid_field(f"/{name}", "This is not the name of a model: it may hold no spaces.")
    return values
