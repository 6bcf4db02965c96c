"""A held loss on the command line."""

from __future__ import annotations

import pytest
from flask import Flask

from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.sites import project_at
from tests.support.syncing import many, stale, synced


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def project(db_app: Flask, site: SiteServer) -> Project:
    return project_at(site.url, f"{site.url}/sitemap.xml")


def test_a_held_loss_is_confirmed_once(db_app: Flask, project: Project, site: SiteServer) -> None:
    synced(project, site, many(site, 20))
    assert synced(project, site, many(site, 5)).state == "held"
    words = ["project", "confirm-loss", str(project.id)]
    first = db_app.test_cli_runner().invoke(args=words)
    assert (first.exit_code, first.stdout) == (0, "15\n")
    assert len(stale(project)) == 15
    second = db_app.test_cli_runner().invoke(args=words)
    assert (second.exit_code, second.stdout) == (1, "")
    assert "No loss of this project is held" in second.stderr
