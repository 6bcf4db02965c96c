"""Quarantined removals and wrong page counts, on the command line."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import update

from app.infra.db import db
from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.sites import project_at
from tests.support.syncing import listing, many, stale, synced


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def project(db_app: Flask, site: SiteServer) -> Project:
    return project_at(site.url, f"{site.url}/sitemap.xml")


def test_quarantined_removals_are_confirmed_once(db_app: Flask, project: Project, site: SiteServer) -> None:
    synced(project, site, many(site, 20))
    assert synced(project, site, many(site, 5)).state == "quarantined"
    words = ["project", "confirm-removals", str(project.id)]
    first = db_app.test_cli_runner().invoke(args=words)
    assert (first.exit_code, first.stdout) == (0, "15\n")
    assert len(stale(project)) == 15
    second = db_app.test_cli_runner().invoke(args=words)
    assert (second.exit_code, second.stdout) == (1, "")
    assert "has no pages in quarantine" in second.stderr


def spoil(project_id: int) -> None:
    """Leave wrong counts beside a project."""
    wrong = {"page_count": 7, "stale_page_count": 9, "newest_page_at": None}
    db.session.execute(update(Project).where(Project.id == project_id).values(wrong))
    db.session.commit()


def recounted(app: Flask, *words: str) -> list[str]:
    result = app.test_cli_runner().invoke(args=["project", "recount", *words])
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_wrong_counts_are_reported_and_corrected(db_app: Flask, project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site, "a", "b", "c"))
    synced(project, site, listing(site, "a", "b"))
    newest = project.newest_page_at
    assert recounted(db_app) == []
    spoil(project.id)
    (line,) = recounted(db_app)
    assert line.startswith(f"project {project.id}: 3 pages, 1 stale, newest 20")
    assert line.endswith("; stored were 7 pages, 9 stale, newest never")
    db.session.expire_all()
    assert (project.page_count, project.stale_page_count, project.newest_page_at) == (3, 1, newest)
    assert recounted(db_app) == []


def test_one_project_is_recounted_without_the_others(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    other = project_at(site.url, email="bob@example.com")
    ids = [project.id, other.id]
    for project_id in ids:
        spoil(project_id)
    assert [line.split(":")[0] for line in recounted(db_app, str(ids[1]))] == [f"project {ids[1]}"]
    assert [line.split(":")[0] for line in recounted(db_app)] == [f"project {ids[0]}"]


def test_a_project_that_is_not_there_cannot_be_recounted(db_app: Flask) -> None:
    result = db_app.test_cli_runner().invoke(args=["project", "recount", "77"])
    assert (result.exit_code, result.stdout) == (1, "")
