"""A new key for the stored secrets, and all of them encrypted anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.accounts import second_factor
from app.accounts.model import SecondFactor
from app.accounts.service import sign_up
from app.config import Settings, load_settings
from app.factory import create_app
from app.infra import key_rotation
from app.infra.crypto import UnreadableSecret, decrypt, encrypt
from app.infra.db import Base, db
from app.projects.service import create_project
from app.publishing.model import PublishTarget
from app.publishing.service import add_target
from app.search_performance.model import SearchConnection
from tests.support.environment import settings_environment

NEXT = "another secret, by which all is encrypted from now on"


def key_of(secret: str) -> str:
    return load_settings(settings_environment(ENCRYPTION_KEY=secret)).encryption_key


@contextmanager
def restarted(settings: Settings, present: str, *former: str) -> Iterator[Flask]:
    """The service after the operator has set these keys."""
    db.session.rollback()
    app = create_app(replace(settings, encryption_key=present, former_encryption_keys=former))
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()


@pytest.fixture
def stored(db_app: Flask) -> list[int]:
    """The ids of targets with secrets, with another secret beside them."""
    alice = sign_up("alice@example.com", "correct horse battery")
    project = create_project(alice, {"url": "https://alice.example.com/"})
    settings = {"url": "https://hooks.example.com/posts"}
    targets = [add_target(project, "webhook", f"Blog {n}", settings)[0].id for n in range(5)]
    db.session.add(SearchConnection(project_id=project.id, refresh_token=encrypt("1//token")))
    second_factor.begin(alice)
    db.session.commit()
    return targets


def secrets_now() -> list[str]:
    return [*db.session.scalars(select(PublishTarget.secret).order_by(PublishTarget.id)),
            *db.session.scalars(select(SearchConnection.refresh_token)),
            *db.session.scalars(select(SecondFactor.secret))]  # fmt: skip


def test_after_a_rotation_the_new_key_reads_everything_alone(
    settings: Settings, stored: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_rotation, "_ROWS_AT_ONCE", 2)
    before = [decrypt(each) for each in secrets_now()]
    former, present = settings.encryption_key, key_of(NEXT)
    with restarted(settings, present, former):
        assert [decrypt(each) for each in secrets_now()] == before
        done = {each.column: (each.changed, each.unreadable) for each in key_rotation.rotate_all()}
        assert done["publish_targets.secret"] == (5, [])
        assert done["search_connections.refresh_token"] == (1, [])
        assert not any(each.changed for each in key_rotation.rotate_all())
    with restarted(settings, present):
        assert [decrypt(each) for each in secrets_now()] == before
    with restarted(settings, former), pytest.raises(UnreadableSecret):
        decrypt(secrets_now()[0])


def test_a_secret_that_no_key_reads_is_reported_and_left(settings: Settings, stored: list[int]) -> None:
    db.session.execute(
        update(PublishTarget).where(PublishTarget.id == stored[2]).values(secret="gAAAAA-damaged")
    )
    db.session.commit()
    with restarted(settings, key_of(NEXT), settings.encryption_key) as app:
        result = app.test_cli_runner().invoke(args=["encryption", "rotate"])
        assert result.exit_code == 1
        assert "publish_targets.secret: 4 encrypted anew, 1 unreadable" in result.output
        assert f"publish_targets.secret: row {stored[2]} can be read with no key" in result.output
        assert secrets_now()[2] == "gAAAAA-damaged"


def test_no_secret_without_a_key_that_reads_it(settings: Settings, stored: list[int]) -> None:
    with restarted(settings, key_of(NEXT)), pytest.raises(UnreadableSecret):
        decrypt(secrets_now()[0])


def test_a_secret_that_is_replaced_meanwhile_stays(stored: list[int]) -> None:
    column = PublishTarget.__table__.columns["secret"]
    assert key_rotation._replace(column, stored[0], "what was read before", "the same anew") == 0


def test_every_column_with_a_secret_is_rotated(stored: list[int]) -> None:
    """All text columns are read: what Fernet made begins alike, and is in no other column."""
    rotated = {str(column) for column in key_rotation._ciphertexts()}
    found = {
        str(column)
        for table in Base.metadata.sorted_tables
        for column in table.columns
        for (value,) in db.session.execute(select(column))
        if isinstance(value, str) and value.startswith("gAAAA")
    }
    assert found == rotated
