"""Alice's project on the served site, and reading without pauses."""

from __future__ import annotations

import pytest
from flask import Flask

from app.pages.crawling import reading
from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.sites import project_at


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made between pages, without their time."""
    made: list[float] = []
    monkeypatch.setattr(reading.time, "sleep", made.append)
    return made


@pytest.fixture
def project_id(db_app: Flask, site: SiteServer) -> int:
    """A project without a sitemap."""
    return project_at(site.url).id


@pytest.fixture
def project(db_app: Flask, site: SiteServer) -> Project:
    """A project whose sitemap is the site's /sitemap.xml."""
    return project_at(site.url, f"{site.url}/sitemap.xml")
