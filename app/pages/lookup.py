"""Pages by the address that a person typed: whole, or only the path."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select

from app.infra.db import db
from app.infra.urls import InvalidUrl, normalise, url_key
from app.pages.model import Page
from app.projects.model import Project


def page_ids_at(project: Project, addresses: Iterable[str]) -> dict[str, int | None]:
    """Return the id of the project's page at each address, None where there is none."""
    keys: dict[str, bytes | None] = {address: _key(address, project.url) for address in addresses}
    found = {
        row.url_key: row.id
        for row in db.session.execute(
            select(Page.id, Page.url_key).where(
                Page.project_id == project.id, Page.url_key.in_([key for key in keys.values() if key])
            )
        )
    }
    return {address: found.get(key) if key else None for address, key in keys.items()}


def urls_of(project: Project, page_ids: Iterable[int]) -> list[str]:
    """Return the addresses of pages of the project, in the order of their ids in ``page_ids``."""
    wanted = list(page_ids)
    rows = db.session.execute(
        select(Page.id, Page.url).where(Page.project_id == project.id, Page.id.in_(wanted))
    )
    found = {row.id: row.url for row in rows}
    return [found[page_id] for page_id in wanted if page_id in found]


def _key(address: str, base: str) -> bytes | None:
    try:
        return url_key(normalise(address, base))
    except InvalidUrl:
        return None
