"""Rows of a large service, made in PostgreSQL by its own statements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from sqlalchemy import JSON, Column, Connection, TypeDecorator, text

from app.infra.db import db

_OBJECTS: Final = frozenset({"payload", "settings", "facts", "source_hashes", "request"})
_USUAL: Final[Mapping[type, str]] = {
    bool: "false", datetime: "now()", date: "now()", str: "''", bytes: "''", int: "0", float: "0",
}  # fmt: skip


@dataclass(frozen=True)
class Sizes:
    """How many rows there are of each kind."""

    accounts: int
    projects: int
    pages: int
    jobs: int
    pages_of_first: int

    @property
    def history(self) -> int:
        """Entries of the history of jobs."""
        return 4 * self.jobs

    @property
    def keywords(self) -> int:
        """Keywords: ten a project."""
        return 10 * self.projects

    @property
    def posts(self) -> int:
        """Blog posts: one of five jobs made one."""
        return self.jobs // 5


def fill(connection: Connection, sizes: Sizes) -> None:
    """Write the rows into an empty database that is migrated, in one transaction for each table.

    The first project has ``pages_of_first`` pages, the others share the rest. Of the jobs one in 500 is
    queued and one in 5,000 runs; the others ended within the last 90 days.
    """
    project = f"1 + (n - 1) % {sizes.projects}"
    account = f"1 + (n - 1) % {sizes.accounts}"
    spread = "now() - interval '1 second' * (n::bigint * 7919 % 7776000)"
    _insert(
        connection, "accounts", sizes.accounts, {"email": "'p' || n || '@mail.example'", "active": "true"}
    )
    _insert(
        connection,
        "projects",
        sizes.projects,
        {
            "account_id": account,
            "name": "'Project ' || n",
            "url": "'https://s' || n || '.example/'",
            "sitemap_url": "'https://s' || n || '.example/sitemap.xml'",
            "page_count": f"{sizes.pages // sizes.projects}",
        },
    )
    of_first = f"n <= {sizes.pages_of_first}"
    _insert(
        connection,
        "pages",
        sizes.pages,
        {
            "project_id": f"CASE WHEN {of_first} THEN 1 ELSE 2 + n % {sizes.projects - 1} END",
            "url": "'https://s.example/guides/how-to-do-thing-number-' || n",
            "title": "'How to do thing number ' || n",
            "url_key": "decode(md5(n::text), 'hex')",
            "source": "'sitemap'",
            "in_sitemap": "true",
            "is_stale": "n % 20 = 0",
            "word_count": "500",
            "fetched_at": spread,
            "read_due_at": "CASE WHEN n % 5000 = 0 THEN now() ELSE now() + interval '7 days' END",
        },
    )
    status = "CASE WHEN n % 500 = 0 THEN 'queued' WHEN n % 5000 = 1 THEN 'running' WHEN n % 20 = 2 THEN 'failed' ELSE 'succeeded' END"  # noqa: E501
    ended = f"CASE WHEN n % 500 = 0 OR n % 5000 = 1 THEN NULL ELSE {spread} END"
    _insert(
        connection,
        "execution_jobs",
        sizes.jobs,
        {
            "account_id": f"1 + ({project} - 1) % {sizes.accounts}",
            "project_id": project,
            "operation": "'GENERATE_BLOG_POST'",
            "status": status,
            "subject": "'how to do thing number ' || n",
            "requested_by": "'api'",
            "available_at": "now()",
            "started_at": "CASE WHEN n % 5000 = 1 THEN now() END",
            "lease_until": "CASE WHEN n % 5000 = 1 THEN now() + interval '10 minutes' END",
            "completed_at": ended,
            "pruned_at": f"CASE WHEN {ended} < now() - interval '29 days' THEN now() END",
            "created_at": spread,
        },
    )
    _insert(
        connection,
        "job_history",
        sizes.history,
        {"job_id": f"1 + n % {sizes.jobs}", "event": "'claimed'", "status": "'running'", "at": spread},
    )
    _insert(
        connection, "keywords", sizes.keywords, {"project_id": project, "keyword_text": "'keyword ' || n"}
    )
    _insert(
        connection,
        "blog_posts",
        sizes.posts,
        {
            "project_id": project,
            "status": "'draft'",
            "slug": "'post-' || n",
            "title": "'How to do thing number ' || n",
            "content": "repeat('Words of a post. ', 300)",
            "language": "'en'",
            "created_at": spread,
        },
    )
    _fill_what_is_seldom_due(connection, sizes, spread)
    connection.commit()
    connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM ANALYZE"))


def _fill_what_is_seldom_due(connection: Connection, sizes: Sizes, spread: str) -> None:
    """Write syncs, publications, their schedules and autopilots; one of 5,000 of each is open or waits."""
    project = f"1 + (n - 1) % {sizes.projects}"
    rows = {
        "sitemap_syncs": (10 * sizes.projects, {"project_id": project, "state": "'ok'", "at": spread}),
        "publications": (
            sizes.posts,
            {
                "blog_post_id": "n",
                "target_id": project,
                "publication_id": "'pub_' || n",
                "state": "CASE WHEN n % 5000 = 0 THEN 'sending' ELSE 'live' END",
                "updated_at": "now()",
            },
        ),
        "scheduled_publications": (
            sizes.posts,
            {
                "project_id": project,
                "blog_post_id": "n",
                "target_id": project,
                "state": "CASE WHEN n % 5000 = 0 THEN 'waiting' ELSE 'submitted' END",
                "next_try_at": "now() + interval '1 day'",
            },
        ),
        "autopilots": (sizes.projects, {"project_id": "n", "next_run_at": "now() + interval '1 day'"}),
        "autopilot_runs": (
            sizes.posts,
            {
                "project_id": project,
                "due_at": f"now() - interval '1 hour' * (n / {sizes.projects} + 1)",
                "state": "CASE WHEN n % 5000 = 0 THEN 'writing' ELSE 'done' END",
                "job_id": "n",
            },
        ),
    }
    for table, (number, given) in rows.items():
        _insert(connection, table, number, given)


def spread_syncs(connection: Connection, interval: int) -> None:
    """Make one sync of each project due within the next ``interval`` seconds, evenly."""
    due = f"now() + interval '1 second' * (id * 7919 % {interval})"
    connection.execute(text(f"UPDATE projects SET next_sync_at = {due}"))
    connection.execute(text("ANALYZE projects"))


def _insert(connection: Connection, table: str, rows: int, given: Mapping[str, str]) -> None:
    columns = {
        column.name: given.get(column.name) or _usual(column)
        for column in db.metadata.tables[table].columns
        if column.name in given or not (column.nullable or column.primary_key or column.server_default)
    }
    names = ", ".join(f'"{name}"' for name in columns)
    # Keys to other tables hold by construction; checking each would take most of the time.
    connection.execute(text("SET session_replication_role = replica"))
    connection.execute(
        text(
            f"INSERT INTO {table} ({names}) SELECT {', '.join(columns.values())}"
            f" FROM generate_series(1, {rows}) n"
        )
    )
    connection.commit()


def _usual(column: Column[object]) -> str:
    if isinstance(column.type, JSON):
        return "'{}'" if column.name in _OBJECTS else "'[]'"
    kind = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    return _USUAL[kind.python_type]
