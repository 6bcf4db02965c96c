"""The documents of a sitemap are kept with what they list and why they were not read, on both databases."""

from __future__ import annotations

import pytest

from app.failures import ServiceFailure
from app.infra.db import db
from app.pages.model import SitemapFile
from app.pages.sitemaps.url_buffer import UrlBuffer
from app.pages.sync.apply import FailedReading, record_failure
from app.pages.sync.sitemap_files import count_files, list_files
from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.sites import index, project_at
from tests.support.syncing import listing, read, synced

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def tree(site: SiteServer) -> str:
    """An index of /one.xml, with two pages and an invalid URL, and /two.xml, with one page."""
    site.serve(
        "/one.xml", listing(site, "a", "b").replace("</urlset>", "<url><loc>ftp://x/</loc></url></urlset>")
    )
    site.serve("/two.xml", listing(site, "a"))
    return index([f"{site.url}/one.xml", f"{site.url}/two.xml"])


def files(project: Project) -> dict[str, SitemapFile]:
    db.session.rollback()
    return {file.url.rpartition("/")[2]: file for file in list_files(project, 1, 100)[0]}


def test_each_document_is_kept_with_what_it_lists(project: Project, site: SiteServer, tree: str) -> None:
    row = synced(project, site, tree)
    found = {name: (file.urls, file.sitemaps, file.invalid) for name, file in files(project).items()}
    assert found == {"sitemap.xml": (0, 2, 0), "one.xml": (2, 0, 1), "two.xml": (1, 0, 0)}
    assert list(found) == ["sitemap.xml", "one.xml", "two.xml"]
    assert {(file.read_at, file.error) for file in files(project).values()} == {(row.at, None)}


def test_a_document_that_cannot_be_read_keeps_the_time_when_it_was(
    project: Project, site: SiteServer, tree: str
) -> None:
    first = synced(project, site, tree).at
    site.serve("/two.xml", "", status=500)
    second = synced(project, site).at
    found = files(project)
    assert (found["one.xml"].read_at, found["two.xml"].read_at) == (second, first)
    assert found["two.xml"].error == {"code": "UNREACHABLE", "message": "The server answered 500."}
    assert count_files(project) == (3, 1)
    assert [file.url for file in list_files(project, 1, 100, failed=True)[0]] == [f"{site.url}/two.xml"]
    assert list_files(project, 1, 100, failed=False)[1] == 2
    site.serve("/two.xml", listing(site, "a"))
    assert synced(project, site).at == files(project)["two.xml"].read_at
    assert count_files(project) == (3, 0)


@pytest.mark.parametrize(
    ("body", "code"),
    [("<urlset><url><loc>", "TRUNCATED"), ("<html>Hello.</html>", "NOT_A_SITEMAP")],
)
def test_a_document_that_is_none_or_ends_too_early_says_so(
    project: Project, site: SiteServer, tree: str, body: str, code: str
) -> None:
    site.serve("/two.xml", body)
    synced(project, site, tree)
    error = files(project)["two.xml"].error
    assert error is not None
    assert error["code"] == code


def test_a_document_that_is_no_longer_listed_is_forgotten(
    project: Project, site: SiteServer, tree: str
) -> None:
    synced(project, site, tree)
    synced(project, site, index([f"{site.url}/two.xml"]))
    assert list(files(project)) == ["sitemap.xml", "two.xml"]


def test_a_sitemap_that_does_not_answer_says_so(project: Project, site: SiteServer) -> None:
    first = synced(project, site, listing(site, "a")).at
    site.serve("/sitemap.xml", "", status=500)
    buffer = UrlBuffer(project.url, f"{site.url}/sitemap.xml")
    with pytest.raises(ServiceFailure) as raised:
        read(project, site, buffer)
    record_failure(project.id, None, FailedReading(buffer.sitemap_url, raised.value.failure, buffer))
    db.session.commit()
    (file,) = files(project).values()
    assert (file.read_at, file.error and file.error["code"]) == (first, "UNREACHABLE")


def test_the_documents_of_another_project_stay(project: Project, site: SiteServer, tree: str) -> None:
    bobs = project_at(site.url, f"{site.url}/sitemap.xml", email="bob@example.com")
    synced(bobs, site, tree)
    synced(project, site, listing(site, "a"))
    assert (len(files(bobs)), len(files(project))) == (3, 1)
