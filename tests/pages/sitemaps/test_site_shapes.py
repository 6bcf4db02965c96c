"""Sites laid out as WordPress, Ghost, Sphinx and Hugo do it: found, synced whole, and every page read."""

from __future__ import annotations

import pytest

from app.infra.db import db
from app.infra.settings import current_settings
from app.pages.sitemaps.discovery import discover
from app.pages.sitemaps.fetch import fetch_sitemap
from app.pages.sync.apply import apply_sitemap
from app.projects.model import Project
from tests.support.reading import read
from tests.support.servers import SiteServer
from tests.support.shapes import SHAPES, Shape
from tests.support.sites import pages_of

pytestmark = pytest.mark.usefixtures("db_app", "pauses")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_site_of_this_shape_is_read_completely(project: Project, site: SiteServer, shape: Shape) -> None:
    shape.set_up(site)
    project_id, url = project.id, project.url
    db.session.rollback()
    found = discover(current_settings(), url, should_stop=lambda: False)
    assert found == site.url + shape.finds
    buffer = fetch_sitemap(
        current_settings(),
        url,
        found,
        seconds=30,
        should_stop=lambda: False,
        on_progress=lambda _urls, _children: None,
    )
    row = apply_sitemap(project_id, None, buffer, 0.5)
    db.session.commit()
    assert (row.state, row.complete, row.problems, row.children) == ("ok", True, [], shape.children)
    assert (row.found, row.new) == (len(shape.pages), len(shape.pages))
    done = read(project_id, limit=20)
    assert (done.read, done.failed) == (len(shape.pages), 0)
    titles = {page.url.removeprefix(site.url): page.title for page in pages_of(project_id).values()}
    assert titles == {path: f"Page {path}" for path in shape.pages}
