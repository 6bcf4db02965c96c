"""The application in the test's own process, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.config import Settings, load_settings
from tests.support.databases import MakeDatabase
from tests.support.environment import settings_environment


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def database_kind(request: pytest.FixtureRequest) -> str:
    """The kind of database; a test that uses it runs on each."""
    return str(request.param)


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    """What a test module wants to be different, by the names of the environment."""
    return {}


@pytest.fixture
def settings(
    database_kind: str, fresh_database: MakeDatabase, redis_url: str, settings_overrides: dict[str, str]
) -> Settings:
    """Settings for a fresh migrated database and an emptied Redis."""
    places = {"DATABASE_URL": fresh_database(database_kind), "REDIS_URL": redis_url}
    return load_settings(settings_environment(**{**places, **settings_overrides}))


@pytest.fixture(scope="session")
def _guesses() -> Callable[[str, str], Decimal]:
    """Judges each password of the tests once."""
    from app.accounts import passwords

    return cache(passwords._guesses)


@pytest.fixture
def app(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, _guesses: Callable[[str, str], Decimal]
) -> Iterator[Flask]:
    """The application, its connections closed after the test. It hashes and judges passwords fast."""
    # Imported here, so that tests of pure modules run without loading the application.
    from app.accounts import passwords
    from tests.support.applications import KEPT

    quick = passwords.PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(passwords, "_hasher", quick)
    monkeypatch.setattr(passwords, "_guesses", _guesses)
    with KEPT.lent(settings) as lent:
        yield lent


@pytest.fixture
def db_app(app: Flask) -> Iterator[Flask]:
    """The application with its context pushed, for tests that call services."""
    with app.app_context():
        yield app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A test client without a cookie in it."""
    return app.test_client()
