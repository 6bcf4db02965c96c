"""Recounting pages while others add, list and mark them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from sqlalchemy import text

from app.infra.db import db
from app.pages import service
from app.pages.page_counts import Recount, recount, recount_all
from app.pages.sync.apply import apply_sitemap
from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.syncing import listing, many, read, synced
from tests.support.together import together
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.mark.parametrize("database_kind", [pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_a_recount_waits_for_the_sync_that_is_being_applied(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    synced(project, site, listing(site, "a", "b"))
    project_id = project.id

    def elsewhere() -> Recount | None:
        with db_app.app_context():
            return recount(project_id)

    site.serve("/sitemap.xml", many(site, 50))
    apply_sitemap(project_id, None, read(project, site), 0.0)
    with ThreadPoolExecutor(1) as pool:
        recounting = pool.submit(elsewhere)
        blocked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        eventually(lambda: db.session.scalar(blocked), "the recount waits for the sync")
        db.session.commit()
        found = recounting.result(20)
    assert found is not None
    assert (found.was_wrong, found.counted.pages) == (False, 52)


def test_right_counts_are_never_found_wrong_while_pages_come(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    project_id = project.id
    turns, wrong = iter(("add", "recount", "sync", "recount")), []
    site.serve("/sitemap.xml", many(site, 30))

    def one(turns: Iterator[str] = turns) -> None:
        mine, turn = db.session.get_one(Project, project_id), next(turns)
        if turn == "sync":
            synced(mine, site)
        for number in range(15):
            if turn == "add":
                service.add_page(mine, {"url": f"{site.url}/page-{2 * number}"})
            elif turn == "recount":
                wrong.extend(found for found in recount_all() if found.was_wrong)
        db.session.remove()

    together(db_app, one, 4)
    found = recount(project_id)
    assert wrong == []
    assert found is not None
    assert (found.was_wrong, found.stored.pages) == (False, 30)
