"""The migrations, on both databases: up, as the models want it, down, and up again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, delete, func, insert, inspect, select, text
from sqlalchemy.exc import IntegrityError

import app.factory  # noqa: F401 (brings every model along)
from app.accounts.model import Account
from app.content.model import BlogPost, BlogPostCover, BlogPostProposal, ProjectImage
from app.executions.model import ExecutionJob
from app.infra.db import Base, db
from app.infra.migrations import latest
from app.pages.model import GoneSitemap, Page, PageContent, SiteBackoff, SitemapSync, SitemapSyncChange
from app.projects.model import Project
from app.publishing.model import Publication, PublishTarget
from app.search_performance.model import SearchImport, SearchQuery
from devtools.local import ROOT
from tests.support.databases import migrate

KINDS = pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])

BEFORE_THE_COUNTS = "0004"
BEFORE_THE_WORDS = "0009"
BEFORE_THE_VOICE = "0011"
BEFORE_LARGE_SITEMAPS = "0013"
BEFORE_PLAIN_NAMES = "0022"
BEFORE_GOOGLE = "0041"
BEFORE_BUCKETS = "0043"


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names()) - {"alembic_version"}


def test_the_latest_migration_is_the_one_that_alembic_finds() -> None:
    script = ScriptDirectory(str(ROOT / "migrations"))
    assert [latest()] == script.get_heads()


@KINDS
def test_an_upgraded_database_is_what_the_models_describe(
    kind: str, fresh_database: Callable[[str], str]
) -> None:
    url = fresh_database(kind)
    with create_engine(url).connect() as connection:
        assert tables(connection) == set(db.metadata.tables)
        assert compare_metadata(MigrationContext.configure(connection), db.metadata) == []


@KINDS
def test_a_downgrade_leaves_nothing_and_can_be_upgraded_again(
    kind: str, fresh_database: Callable[[str], str]
) -> None:
    url = fresh_database(kind)
    migrate(url, "base", "downgrade")
    with create_engine(url).connect() as connection:
        assert tables(connection) == set()
    migrate(url)
    with create_engine(url).connect() as connection:
        assert tables(connection) == set(db.metadata.tables)


@pytest.mark.thorough
@KINDS
def test_the_pages_that_are_there_are_counted(kind: str, fresh_database: Callable[[str], str]) -> None:
    url = fresh_database(kind)
    with create_engine(url).begin() as connection:
        connection.execute(insert(Account), {"id": 1, "email": "alice@example.com", "password_hash": "-"})
        project = {"account_id": 1, "name": "Site"}
        connection.execute(insert(Project), [{**project, "id": n, "url": str(n)} for n in (1, 2)])
        page = {"project_id": 1, "url": "-", "source": "SITEMAP"}
        pages = [
            {**page, "url_key": bytes([n]), "is_stale": n < 3, "created_at": datetime(2026, 1, n, tzinfo=UTC)}
            for n in range(1, 6)
        ]
        connection.execute(insert(Page), pages)
    migrate(url, BEFORE_THE_COUNTS, "downgrade")
    migrate(url)
    counts = select(Project.page_count, Project.stale_page_count, Project.newest_page_at).order_by(Project.id)
    with create_engine(url).connect() as connection:
        newest = connection.scalar(select(func.max(Page.created_at)))
        assert [tuple(row) for row in connection.execute(counts)] == [(5, 2, newest), (0, 0, None)]


@pytest.mark.thorough
@KINDS
def test_what_was_read_before_words_were_counted_stays_and_is_to_be_counted(
    kind: str, fresh_database: Callable[[str], str]
) -> None:
    url = fresh_database(kind)
    with create_engine(url).begin() as connection:
        connection.execute(insert(Account), {"id": 1, "email": "alice@example.com", "password_hash": "-"})
        connection.execute(insert(Project), {"id": 1, "account_id": 1, "name": "-", "url": "-"})
        page = {"id": 1, "project_id": 1, "url": "-", "url_key": b"-", "source": "SITEMAP", "word_count": 2}
        connection.execute(insert(Page), page)
        content = {"page_id": 1, "blocks": ["kept"], "content_hash": "-", "words": "some words"}
        connection.execute(insert(PageContent), content)
    migrate(url, BEFORE_THE_WORDS, "downgrade")
    migrate(url)
    with create_engine(url).connect() as connection:
        kept = connection.execute(select(PageContent.blocks, PageContent.words, PageContent.headings)).one()
        assert tuple(kept) == (["kept"], None, None)
        assert connection.scalar(select(Project.coverage_due_at)) <= datetime.now(UTC)


@pytest.mark.thorough
@KINDS
def test_projects_keep_their_urls_and_begin_without_defaults_for_their_posts(
    kind: str, empty_database: Callable[[str], str]
) -> None:
    url = empty_database(kind)
    migrate(url)
    site = {"id": 1, "account_id": 1, "name": "-", "url": "https://example.com/", "avoid": ["cheap"]}
    target = {"id": 1, "project_id": 1, "name": "Blog", "kind": "webhook", "settings": {}}
    with create_engine(url).begin() as connection:
        connection.execute(insert(Account), {"id": 1, "email": "alice@example.com", "password_hash": "-"})
        connection.execute(insert(Project), site)
        connection.execute(insert(PublishTarget), target)
    migrate(url, BEFORE_THE_VOICE, "downgrade")
    with create_engine(url).connect() as connection:
        before = connection.execute(text("SELECT url, identity FROM projects")).one()
        assert tuple(before) == (site["url"], site["url"])
        assert connection.scalar(text("SELECT default_status FROM publish_targets")) == "live"
    migrate(url)
    with create_engine(url).connect() as connection:
        defaults = select(Project.url, Project.global_instructions, Project.avoid, Project.call_to_action)
        assert tuple(connection.execute(defaults).one()) == (site["url"], None, [], None)
    with create_engine(url).begin() as connection, pytest.raises(IntegrityError):
        connection.execute(insert(Project), {**site, "id": 2})


@pytest.mark.thorough
@KINDS
def test_dates_that_cannot_be_are_forgotten_and_large_sizes_are_cut_when_they_do_not_fit(
    kind: str, empty_database: Callable[[str], str]
) -> None:
    url = empty_database(kind)
    migrate(url)
    dates = [
        datetime(1901, 1, 1, tzinfo=UTC),
        datetime(2024, 5, 1, tzinfo=UTC),
        datetime(2062, 1, 1, tzinfo=UTC),
    ]
    with create_engine(url).begin() as connection:
        connection.execute(insert(Account), {"id": 1, "email": "alice@example.com", "password_hash": "-"})
        connection.execute(insert(Project), {"id": 1, "account_id": 1, "name": "-", "url": "-"})
        page = {"project_id": 1, "url": "-", "source": "SITEMAP"}
        pages = [{**page, "url_key": bytes([n]), "lastmod": date} for n, date in enumerate(dates)]
        connection.execute(insert(Page), pages)
        connection.execute(
            insert(SitemapSync),
            {"project_id": 1, "sitemap_url": "-", "state": "ok", "complete": True, "problems": [],
             "bytes": 5_000_000_000},
        )  # fmt: skip
    migrate(url, BEFORE_LARGE_SITEMAPS, "downgrade")
    migrate(url)
    with create_engine(url).connect() as connection:
        assert list(connection.scalars(select(Page.lastmod).order_by(Page.id))) == [None, dates[1], None]
        held = {"sqlite": 5_000_000_000, "postgresql": 2**31 - 1}
        assert connection.scalar(select(SitemapSync.bytes)) == held[kind]


@pytest.mark.thorough
@KINDS
def test_the_states_and_changes_of_syncs_stay_under_their_plain_names(
    kind: str, empty_database: Callable[[str], str]
) -> None:
    url = empty_database(kind)
    migrate(url)
    problem = {"code": "QUARANTINED", "where": "-", "message": "-"}
    sync = {"id": 1, "project_id": 1, "sitemap_url": "-", "state": "quarantined", "complete": True}
    page = {"id": 1, "project_id": 1, "url": "-", "url_key": b"-", "source": "SITEMAP"}
    with create_engine(url).begin() as connection:
        connection.execute(insert(Account), {"id": 1, "email": "alice@example.com", "password_hash": "-"})
        connection.execute(insert(Project), {"id": 1, "account_id": 1, "name": "-", "url": "-"})
        connection.execute(insert(Page), page)
        connection.execute(insert(SitemapSync), {**sync, "problems": [problem]})
        connection.execute(insert(SitemapSyncChange), {"sync_id": 1, "page_id": 1, "kind": "missing"})
    migrate(url, BEFORE_PLAIN_NAMES, "downgrade")
    with create_engine(url).connect() as connection:
        assert connection.scalar(text("SELECT state FROM sitemap_syncs")) == "held"
    migrate(url)
    with create_engine(url).connect() as connection:
        row = connection.execute(select(SitemapSync.state, SitemapSync.problems)).one()
        assert tuple(row) == ("quarantined", [problem])
        assert connection.scalar(select(func.count()).select_from(SitemapSyncChange)) == 1


@pytest.mark.thorough
@KINDS
def test_rows_of_renamed_tables_and_columns_stay(kind: str, empty_database: Callable[[str], str]) -> None:
    url = empty_database(kind)
    migrate(url)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    written = {"title": "-", "language": "en", "content": "-", "draft_kind": "full", "engine": "llm"}
    proposal = {"id": 1, "blog_post_id": 1, "job_id": 1, "post_version": 1, "state": "used", "decided_at": at}
    publication = {"id": 1, "blog_post_id": 1, "target_id": 1, "publication_id": "sid:1", "state": "live"}
    job = {"id": 1, "account_id": 1, "project_id": 1, "operation": "-", "status": "queued", "payload": {}}
    times = ("available_at", "queued_at", "enqueued_at", "created_at", "updated_at")
    rows: tuple[tuple[type[Base], dict[str, Any]], ...] = (
        (Account, {"id": 1, "email": "alice@example.com", "password_hash": "-"}),
        (Project, {"id": 1, "account_id": 1, "name": "-", "url": "-"}),
        (BlogPost, {"id": 1, "project_id": 1, "slug": "-", **written}),
        (BlogPostProposal, {**proposal, **written}),
        (PublishTarget, {"id": 1, "project_id": 1, "name": "-", "kind": "webhook", "settings": {}}),
        (Publication, {**publication, "content_sha256": "-"}),
        (ExecutionJob, {**job, **dict.fromkeys(times, at)}),
        (GoneSitemap, {"id": 1, "project_id": 1, "url_key": b"-", "since": at, "syncs": 2}),
        (SiteBackoff, {"origin": "https://a.example", "until": at}),
    )
    with create_engine(url).begin() as connection:
        for model, values in rows:
            connection.execute(insert(model), values)
    migrate(url, BEFORE_PLAIN_NAMES, "downgrade")
    with create_engine(url).connect() as connection:
        assert connection.scalar(text("SELECT sid FROM publications")) == "sid:1"
    migrate(url)
    with create_engine(url).connect() as connection:
        for model, values in rows:
            kept = select(*(getattr(model, name) for name in values))
            assert list(connection.execute(kept).one()) == list(values.values())


@pytest.mark.thorough
@KINDS
def test_imported_search_results_survive_the_way_up_and_down(
    kind: str, empty_database: Callable[[str], str]
) -> None:
    url = empty_database(kind)
    migrate(url)
    days = {"first_day": date(2026, 3, 1), "last_day": date(2026, 3, 31)}
    imported = {"project_id": 1, "source": "-", **days}
    query = {"query": "bees", "clicks": 2, "impressions": 3}
    with create_engine(url).begin() as connection:
        connection.execute(insert(Account), {"id": 1, "email": "alice@example.com", "password_hash": "-"})
        connection.execute(insert(Project), {"id": 1, "account_id": 1, "name": "-", "url": "-"})
        for number, origin in ((1, "file"), (2, "fetched")):
            connection.execute(insert(SearchImport), {"id": number, "origin": origin, **imported})
            connection.execute(insert(SearchQuery), {"import_id": number, **query})
    migrate(url, BEFORE_GOOGLE, "downgrade")
    migrate(url)
    with create_engine(url).connect() as connection:
        assert connection.execute(select(SearchImport.id, SearchImport.origin)).all() == [(1, "file")]
        assert connection.execute(select(SearchQuery.import_id, SearchQuery.query)).all() == [(1, "bees")]
        (key,) = inspect(connection).get_foreign_keys("search_queries")
        assert (key["referred_table"], key["options"]) == ("search_imports", {"ondelete": "CASCADE"})


@pytest.mark.thorough
@KINDS
def test_pictures_in_the_database_stay_and_none_in_a_bucket_is_forgotten(
    kind: str, empty_database: Callable[[str], str]
) -> None:
    url = empty_database(kind)
    migrate(url)
    written = {"title": "-", "language": "en", "content": "-", "draft_kind": "full", "engine": "llm"}
    shown = {"media_type": "image/png", "width": 1, "height": 1, "content_hash": "-", "data": b"\0\1"}
    image = {"id": 1, "project_id": 1, "file_name": "-", "size": 2, **shown}
    rows: tuple[tuple[type[Base], dict[str, Any]], ...] = (
        (Account, {"id": 1, "email": "alice@example.com", "password_hash": "-"}),
        (Project, {"id": 1, "account_id": 1, "name": "-", "url": "-"}),
        (BlogPost, {"id": 1, "project_id": 1, "slug": "-", **written}),
        (BlogPostCover, {"blog_post_id": 1, **shown}),
        (ProjectImage, image),
    )
    with create_engine(url).begin() as connection:
        for model, values in rows:
            connection.execute(insert(model), values)
    migrate(url, BEFORE_BUCKETS, "downgrade")
    migrate(url)
    with create_engine(url).begin() as connection:
        for column in (BlogPostCover.data, ProjectImage.data):
            assert connection.scalars(select(column)).all() == [b"\0\1"]
        connection.execute(delete(ProjectImage))
        connection.execute(insert(ProjectImage), {**image, "id": 2, "data": None, "object_key": "images/a"})
    with pytest.raises(AssertionError, match="flask images move"):
        migrate(url, BEFORE_BUCKETS, "downgrade")
