"""Which losses are open is asked by indexes alone, on both databases, however many others there are."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, text

from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import SitemapSync
from app.pages.sync import quarantine
from app.projects.model import Project
from tests.support.plans import plans
from tests.support.servers import SiteServer
from tests.support.sites import project_at
from tests.support.syncing import listing, many, synced

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def test_open_quarantines_are_found_without_reading_those_of_other_projects(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 3000))
    assert synced(project, site, many(site, 100)).state == "quarantined"
    bobs = project_at(site.url, email="bob@example.com")
    synced(bobs, site, many(site, 20))
    quarantined = synced(bobs, site, listing(site, "page-1"))
    well = project_at(f"{site.url}/other/", email="charlie@example.com")
    assert synced(well, site, listing(site, "other/page-1")).state == "ok"
    others = {"sitemap_url": site.url, "state": "partial", "complete": False, "problems": [], "at": utc_now()}
    db.session.execute(insert(SitemapSync), [{"project_id": project.id, **others}] * 5000)
    ids, expected = [bobs.id, well.id], {bobs.id: quarantined}
    db.session.commit()
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))
    found = plans(lambda: quarantine.open_quarantines(ids), lambda statement: "sitemap_syncs" in statement)
    assert found
    for plan in found:
        for costly in ("Seq Scan on sitemap_s", "SCAN sitemap_s"):
            assert costly not in plan, plan
    assert quarantine.open_quarantines(ids) == expected
