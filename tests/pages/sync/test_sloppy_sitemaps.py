"""Syncs of sitemaps whose entries for known pages are sloppy, on both databases."""

from __future__ import annotations

import pytest
from flask import Flask

from app.infra.db import db
from app.pages.model import SitemapSync
from app.pages.sitemaps.read import read_sitemap
from app.pages.sitemaps.url_buffer import UrlBuffer
from app.pages.sync.apply import apply_sitemap
from app.projects.model import Project
from tests.support.hostile.sloppy import HOST, LOST, RECOVERED
from tests.support.sitemaps import ROOT, A, B, Site, urlset
from tests.support.sites import pages_of, project_at
from tests.support.syncing import stale


@pytest.fixture
def shop(db_app: Flask) -> Project:
    return project_at(f"{HOST}/", email="shop@example.com")


def synced(project: Project, *locs: str) -> SitemapSync:
    """Sync a sitemap with these entries."""
    buffer = UrlBuffer(project.url, ROOT)
    for entry in read_sitemap(Site({ROOT: [urlset(*locs)]}).open, ROOT, buffer.report):
        buffer.add(entry)
    db.session.rollback()
    row = apply_sitemap(project.id, None, buffer, 0.0)
    db.session.commit()
    return row


def test_no_page_turns_stale_because_its_entry_became_sloppy(shop: Project) -> None:
    known = [*RECOVERED, *((loc, f"{HOST}/known") for loc in LOST)]
    assert len(known) >= 60
    for loc, url in known:
        synced(shop, A, url, B)
        row = synced(shop, A, loc, B)
        assert (row.stale, pages_of(shop.id)[url].is_stale) == (0, False), loc
        synced(shop, A, B)


def test_a_page_whose_entry_is_gone_turns_stale_beside_sloppy_ones(shop: Project) -> None:
    locs = [loc for loc, _ in RECOVERED]
    synced(shop, A, f"{HOST}/gone", B)
    row = synced(shop, A, B, *locs)
    assert (row.state, row.stale, stale(shop)) == ("ok", 1, {"gone"})
