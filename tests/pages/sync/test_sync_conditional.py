"""Syncs that ask only for what has changed, on both databases."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from sqlalchemy import delete, func, select, text

from app.failures import ServiceFailure
from app.infra.db import db
from app.infra.urls import url_key
from app.pages.model import CachedChunk, CachedDocument
from app.pages.sitemaps import crawl_result, document_cache
from app.pages.sync.apply import apply_sitemap, result_of
from app.projects.model import Project
from tests.support.servers import Reply, SiteServer
from tests.support.sites import feed, index, project_at
from tests.support.syncing import changed, counts, fresh, listing, many, read, row_versions, stale, synced
from tests.support.validating import asked_with, http_now, serve_dated, serve_file, serve_tagged

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def cached(project: Project) -> int:
    of_project = CachedDocument.project_id == project.id
    return db.session.scalar(select(func.count()).select_from(CachedDocument).where(of_project)) or 0


def serve_tree(site: SiteServer, one: list[str], two: list[str], version: str = "1") -> None:
    """An index of two sitemaps; ``version`` is the ETag of the second one."""
    children = [
        serve_tagged(site, "/one.xml", listing(site, *one), '"one"'),
        serve_tagged(site, "/two.xml", listing(site, *two), f'"two-{version}"'),
    ]
    serve_tagged(site, "/sitemap.xml", index(children), '"index"')


def test_an_unchanged_sitemap_is_a_complete_sync_without_change(project: Project, site: SiteServer) -> None:
    serve_tagged(site, "/sitemap.xml", listing(site, "a", "b", "b", "mailto:x"), '"1"')
    first = synced(project, site)
    before = row_versions(project)
    row = synced(project, site)
    assert asked_with(site, "/sitemap.xml") == {"if-none-match": '"1"'}
    assert (row.state, row.complete, row.not_modified, row.bytes) == ("ok", True, 1, 0)
    assert row_versions(project) == before
    assert (row.found, row.unchanged, row.duplicates) == (first.found, first.found, first.duplicates)
    assert result_of(row)["changed"] is False
    db.session.refresh(project)
    assert project.last_synced_at == row.at


def test_a_changed_sitemap_is_read_and_asked_for_by_its_new_tag(project: Project, site: SiteServer) -> None:
    for version, names in enumerate((["a", "b"], ["a", "c"])):
        serve_tagged(site, "/sitemap.xml", listing(site, *names), f'"{version}"')
        row = synced(project, site)
    assert (row.not_modified, counts(row)) == (0, (2, 1, 0, 1, 1))
    assert synced(project, site).not_modified == 1
    assert asked_with(site, "/sitemap.xml") == {"if-none-match": '"1"'}
    assert (cached(project), stale(project)) == (1, {"b"})


def test_the_children_of_an_unchanged_index_are_still_requested(project: Project, site: SiteServer) -> None:
    serve_tree(site, ["a"], ["b", "c"])
    synced(project, site)
    serve_tree(site, ["a"], ["b", "d"], version="2")
    row = synced(project, site)
    assert (row.state, row.children, row.not_modified) == ("ok", 2, 2)
    assert [changed(row, kind) for kind in ("new", "stale")] == [["d"], ["c"]]
    assert row.bytes == len(listing(site, "b", "d"))
    assert fresh(project) == {"a", "b", "d"}


def test_a_page_that_an_unchanged_child_lists_too_stays_fresh(project: Project, site: SiteServer) -> None:
    serve_tree(site, ["a", "b"], ["b", "c"])
    synced(project, site)
    serve_tree(site, ["a", "b"], ["c"], version="2")
    row = synced(project, site)
    assert (row.state, row.stale, fresh(project)) == ("ok", 0, {"a", "b", "c"})


def test_packed_and_damaged_documents_mean_the_same_when_they_did_not_change(
    project: Project, site: SiteServer
) -> None:
    with_raw_ampersand = listing(site, "a", "b?x=1").replace("b?x=1", "b?x=1&y=2")
    serve_tagged(site, "/one.xml.gz", gzip.compress(listing(site, "c").encode()), '"1"')
    serve_tagged(site, "/two.xml", with_raw_ampersand, '"2"')
    serve_tagged(site, "/sitemap.xml", index([f"{site.url}/one.xml.gz", f"{site.url}/two.xml"]), '"3"')
    first = synced(project, site)
    assert first.state == "ok"
    second = synced(project, site)
    assert (second.not_modified, second.bytes, second.problems) == (3, 0, first.problems)
    assert counts(second) == (3, 0, 0, 0, 3)


def test_an_unchanged_sitemap_after_a_quarantine_confirms_it(project: Project, site: SiteServer) -> None:
    serve_tagged(site, "/sitemap.xml", many(site, 20), '"1"')
    synced(project, site)
    serve_tagged(site, "/sitemap.xml", many(site, 5), '"2"')
    assert synced(project, site).state == "quarantined"
    row = synced(project, site)
    assert (row.not_modified, row.state, row.stale) == (1, "ok", 15)


def test_nothing_of_an_incomplete_reading_is_cached(project: Project, site: SiteServer) -> None:
    serve_tagged(site, "/sitemap.xml", listing(site, "a", "b")[:-10], '"cut"')
    assert synced(project, site).state == "partial"
    serve_tagged(site, "/sitemap.xml", feed([f"{site.url}/a"]), '"feed"')
    assert synced(project, site).state == "partial"
    assert (asked_with(site, "/sitemap.xml"), cached(project)) == ({}, 0)


def test_a_partial_reading_leaves_the_cache_of_the_last_complete_one(
    project: Project, site: SiteServer
) -> None:
    serve_tree(site, ["a"], ["b"])
    synced(project, site)
    site.serve("/two.xml", status=500)
    assert synced(project, site).state == "partial"
    serve_tree(site, ["a"], ["b"])
    row = synced(project, site)
    assert (row.state, row.not_modified) == ("ok", 3)


def test_a_date_is_used_only_when_the_file_was_old_enough(project: Project, site: SiteServer) -> None:
    serve_dated(site, "/sitemap.xml", listing(site, "a"), http_now(30))
    synced(project, site)
    synced(project, site)
    assert asked_with(site, "/sitemap.xml") == {}
    modified = http_now(-30)
    serve_dated(site, "/sitemap.xml", listing(site, "a"), modified)
    synced(project, site)
    assert synced(project, site).not_modified == 1
    assert asked_with(site, "/sitemap.xml") == {"if-modified-since": modified}


def test_an_etag_of_date_and_size_is_used_only_when_the_file_was_old_enough(
    project: Project, site: SiteServer
) -> None:
    modified = http_now(30)
    serve_file(site, "/sitemap.xml", listing(site, "a"), modified)
    synced(project, site)
    serve_file(site, "/sitemap.xml", listing(site, "b"), modified)
    synced(project, site)
    assert (fresh(project), asked_with(site, "/sitemap.xml")) == ({"b"}, {})
    etag = serve_file(site, "/sitemap.xml", listing(site, "b"), http_now(-30))
    synced(project, site)
    assert synced(project, site).not_modified == 1
    assert asked_with(site, "/sitemap.xml")["if-none-match"] == etag


def test_what_is_unchanged_at_another_address_is_read_there(project: Project, site: SiteServer) -> None:
    old = serve_tagged(site, "/old.xml", listing(site, "a"), '"1"')
    new = serve_tagged(site, "/new.xml", listing(site, "b"), '"1"')
    site.serve("/sitemap.xml", status=302, headers={"Location": old})
    synced(project, site)
    site.serve("/sitemap.xml", status=302, headers={"Location": new})
    synced(project, site)
    row = synced(project, site)
    assert (row.not_modified, fresh(project)) == (1, {"b"})


def test_a_document_that_is_no_longer_requested_leaves_the_cache(project: Project, site: SiteServer) -> None:
    serve_tree(site, ["a"], ["b"])
    synced(project, site)
    assert cached(project) == 3
    serve_tagged(site, "/sitemap.xml", index([f"{site.url}/one.xml"]), '"shorter"')
    assert synced(project, site).not_modified == 1
    assert cached(project) == 2
    site.serve("/sitemap.xml", listing(site, "a", "b"))
    synced(project, site)
    assert cached(project) == 0


def test_a_sync_that_is_rolled_back_caches_nothing(project: Project, site: SiteServer) -> None:
    serve_tagged(site, "/sitemap.xml", listing(site, "a"), '"1"')
    buffer = read(project, site)
    apply_sitemap(project.id, None, buffer, 0.0)
    assert cached(project) == 1
    db.session.rollback()
    assert cached(project) == 0


def test_a_document_that_is_too_large_to_cache_is_fetched_again(
    project: Project, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl_result, "MAX_DOCUMENT", 200)
    serve_tree(site, [f"{number}-{number * 7919 % 1000}" for number in range(100)], ["b"])
    synced(project, site)
    row = synced(project, site)
    assert (row.state, row.not_modified, cached(project)) == ("ok", 2, 2)


def test_a_large_document_is_cached_in_chunks_and_read_from_them(
    project: Project, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_cache, "_CHUNK", 100)
    monkeypatch.setattr(document_cache, "_BATCH_BYTES", 1000)
    names = [f"{number}-{number * 7919 % 1000}" for number in range(300)]
    serve_tagged(site, "/sitemap.xml", listing(site, *names), '"1"')
    synced(project, site)
    sizes = list(db.session.scalars(select(func.length(CachedChunk.data)).order_by(CachedChunk.number)))
    assert len(sizes) > 15
    assert set(sizes[:-1]) == {100}
    row = synced(project, site)
    assert (row.state, row.not_modified, counts(row)) == ("ok", 1, (300, 0, 0, 0, 300))


def test_a_document_whose_cached_chunks_are_lost_makes_no_page_stale(
    project: Project, site: SiteServer
) -> None:
    serve_tree(site, ["a"], ["b"])
    synced(project, site)
    db.session.execute(delete(CachedChunk).where(CachedChunk.url_key == url_key(f"{site.url}/two.xml")))
    db.session.commit()
    row = synced(project, site)
    assert [problem["code"] for problem in row.problems] == ["UNREACHABLE", "PARTIAL"]
    assert fresh(project) == {"a", "b"}


def test_the_cache_of_a_tree_is_limited(project: Project, site: SiteServer, monkeypatch: Any) -> None:
    serve_tree(site, ["a"], ["b"])
    synced(project, site)
    size = db.session.scalar(select(func.max(func.length(CachedChunk.data))))
    monkeypatch.setattr(crawl_result, "MAX_TREE", size)
    serve_tree(site, ["a"], ["c"], version="2")
    row = synced(project, site)
    assert (row.state, fresh(project), cached(project)) == ("ok", {"a", "c"}, 2)


def cached_rows(project: Project) -> list[tuple[Any, ...]]:
    """Every cached document in full, and on PostgreSQL the transaction that wrote it."""
    db.session.rollback()
    version = ", xmin::text" if db.engine.dialect.name == "postgresql" else ""
    where = f"WHERE project_id = {project.id} ORDER BY url_key"
    tables = ("cached_documents", "cached_chunks")
    statements = [text(f"SELECT *{version} FROM {table} {where}") for table in tables]
    return [tuple(row) for statement in statements for row in db.session.execute(statement)]


def serve_ignoring(site: SiteServer, path: str, body: str, **headers: str) -> str:
    """Answer with validators, and in full whatever is asked."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return site.serve(path, body, headers={"ETag": '"1"', **named})


def test_a_document_that_is_sent_again_as_cached_is_not_written(project: Project, site: SiteServer) -> None:
    children = [
        serve_ignoring(site, "/one.xml", many(site, 3000), Last_Modified=http_now(-90)),
        serve_ignoring(site, "/two.xml", listing(site, "x")),
    ]
    serve_ignoring(site, "/sitemap.xml", index(children))
    synced(project, site)
    before, pages = cached_rows(project), row_versions(project)
    assert len(before) == 3 + 3  # documents, and a chunk of each
    for _ in range(2):
        row = synced(project, site)
        assert (row.state, row.not_modified, row.bytes > 10_000) == ("ok", 0, True)
    assert (cached_rows(project), row_versions(project)) == (before, pages)
    serve_ignoring(site, "/two.xml", listing(site, "y"))
    synced(project, site)
    after = cached_rows(project)
    assert len(after) == 3 + 3
    assert len(set(before) & set(after)) == 2 + 2


@pytest.mark.parametrize("headers", [{"ETag": '"2"'}, {"Last_Modified": http_now(-60)}])
def test_new_validators_of_the_same_content_are_stored(
    project: Project, site: SiteServer, headers: dict[str, str]
) -> None:
    serve_ignoring(site, "/sitemap.xml", listing(site, "a"))
    synced(project, site)
    serve_ignoring(site, "/sitemap.xml", listing(site, "a"), **headers)
    synced(project, site)
    synced(project, site)
    wanted = {"if-none-match": headers.get("ETag", '"1"')}
    if "Last_Modified" in headers:
        wanted["if-modified-since"] = headers["Last_Modified"]
    assert asked_with(site, "/sitemap.xml") == wanted


def test_a_project_does_not_use_the_cache_of_another(project: Project, site: SiteServer) -> None:
    serve_tagged(site, "/sitemap.xml", listing(site, "a"), '"1"')
    synced(project, site)
    row = synced(project_at(site.url, email="bob@example.com"), site)
    assert (asked_with(site, "/sitemap.xml"), row.not_modified) == ({}, 0)


def test_a_304_to_an_unconditional_request_is_no_sitemap(project: Project, site: SiteServer) -> None:
    site.routes["/sitemap.xml"] = Reply(304)
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        read(project, site)
