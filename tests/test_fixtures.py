"""What one test leaves behind reaches no other, though databases and applications are used again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from redis import Redis
from sqlalchemy import Engine, create_engine, text

from app.accounts.model import Account
from app.accounts.service import sign_up
from app.config import Settings, load_settings
from app.infra.db import db
from devtools.local import ROOT
from tests.conftest import LONGEST
from tests.support.applications import Applications
from tests.support.databases import Databases
from tests.support.environment import settings_environment

KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]
COUNT = text("SELECT count(*) FROM site_backoffs")
REST = text("INSERT INTO site_backoffs (origin, until) VALUES ('a.example', CURRENT_TIMESTAMP)")


def test_the_files_that_run_first_exist() -> None:
    assert {path.name for path in (ROOT / "tests").rglob("test_*.py")} >= LONGEST


def engine_of(url: str) -> Engine:
    return create_engine(settings_of(url).database_url)


def settings_of(url: str) -> Settings:
    return load_settings(settings_environment(DATABASE_URL=url))


def spoiled(databases: Databases, kind: str, *statements: str) -> tuple[str, str]:
    """The address of a database on which these were executed, and that of the next one."""
    url = databases.fresh(kind)
    engine = engine_of(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()
    databases.give_back(url)
    return url, databases.fresh(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_a_reused_database_is_empty_and_its_ids_start_at_one(databases: Databases, kind: str) -> None:
    addresses = []
    for _ in range(2):
        addresses.append(databases.fresh(kind))
        with Applications().lent(settings_of(addresses[-1])) as app, app.app_context():
            assert db.session.query(Account).count() == 0
            assert sign_up("alice@example.com", "a long enough password", "Alice").id == 1
        databases.give_back(addresses[-1])
    assert addresses[0] == addresses[1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE site_backoffs",
        "ALTER TABLE site_backoffs ADD COLUMN added INTEGER",
        "CREATE TABLE added (number INTEGER)",
        "CREATE INDEX added ON site_backoffs (until)",
    ],
)
def test_no_test_gets_the_changed_schema_of_another(databases: Databases, kind: str, change: str) -> None:
    untouched = databases.fresh(kind)
    _, following = spoiled(databases, kind, change)
    assert schema(following) == schema(untouched)
    for url in (untouched, following):
        databases.give_back(url)


def schema(url: str) -> list[tuple[object, ...]]:
    words = "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"
    if url.startswith("postgresql"):
        words = (
            "SELECT relname, attname, atttypid FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid "
            "WHERE relnamespace = 'public'::regnamespace ORDER BY 1, 2"
        )
    engine = engine_of(url)
    with engine.connect() as connection:
        found = [tuple(row) for row in connection.exec_driver_sql(words)]
    engine.dispose()
    return found


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "statement",
    [
        "ANALYZE site_backoffs",
        "INSERT INTO site_backoffs (origin, until) SELECT repeat('long', 70) || n, now() "
        "FROM generate_series(1, 9000) AS n",
    ],
    ids=["statistics", "size"],
)
def test_statistics_that_change_query_plans_are_not_reused(databases: Databases, statement: str) -> None:
    used = databases.fresh("postgresql")
    number = number_of(used)
    databases.give_back(used)
    _, following = spoiled(databases, "postgresql", REST.text, statement)
    assert number_of(following) != number
    databases.give_back(following)


def number_of(url: str) -> int:
    """What PostgreSQL numbers the database with: one that is copied again has another."""
    with engine_of(url).connect() as connection:
        words = "SELECT oid FROM pg_database WHERE datname = current_database()"
        number = int(connection.exec_driver_sql(words).scalar_one())
        connection.invalidate()
    return number


@pytest.mark.parametrize("kind", KINDS)
def test_a_leaked_connection_blocks_no_other_test(databases: Databases, kind: str) -> None:
    url = databases.fresh(kind)
    left = engine_of(url).connect()
    left.execute(REST)
    databases.give_back(url)
    following = engine_of(databases.fresh(kind))
    with following.begin() as connection:
        if kind == "postgresql":
            connection.exec_driver_sql("SET lock_timeout = '5s'")
        assert connection.execute(COUNT).scalar() == 0
        connection.execute(REST)
    following.dispose()
    left.invalidate()
    databases.give_back(url)


def test_a_reused_application_forgets_that_redis_was_unavailable(databases: Databases) -> None:
    applications, settings = Applications(), settings_of(databases.fresh("sqlite"))
    with applications.lent(settings) as first:
        breaker = first.extensions["redis_breaker"]
        assert first.test_client().get("/sign-in").status_code == 200
    with applications.lent(settings) as second:
        assert second is first
        assert second.extensions["redis_breaker"] is not breaker
        second.add_url_rule("/still-to-be-set-up", "late", lambda: "")


def test_an_application_that_only_worked_is_reused(databases: Databases) -> None:
    applications, settings = Applications(), settings_of(databases.fresh("sqlite"))
    with applications.lent(settings) as first:
        assert first.test_client().get("/nowhere").status_code == 404
        assert first.test_cli_runner().invoke(args=["db", "current"]).exit_code == 0
    with applications.lent(settings) as second:
        assert second is first
        assert second.test_cli_runner().invoke(args=["db", "current"]).exit_code == 0


CHANGES: dict[str, Callable[[Flask], object]] = {
    "a setting": lambda app: app.config.update(SECRET_KEY="another"),
    "an extension": lambda app: app.extensions.update(redis=Redis(unix_socket_path="/nowhere.sock")),
    "a hook": lambda app: app.before_request(lambda: None),
    "an error handler": lambda app: app.register_error_handler(404, lambda error: ""),
    "a view": lambda app: app.view_functions.update(added=lambda: ""),
    "a filter": lambda app: app.jinja_env.filters.update(added=str),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_application_changed_by_a_test_is_not_reused(databases: Databases, change: str) -> None:
    applications, settings = Applications(), settings_of(databases.fresh("sqlite"))
    with applications.lent(settings) as first:
        CHANGES[change](first)
    with applications.lent(settings) as second:
        assert second is not first
