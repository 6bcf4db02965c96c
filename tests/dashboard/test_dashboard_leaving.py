"""Export and deletion in the settings: what is said first, and who may do it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from flask import Flask
from sqlalchemy import select

from app.accounts.model import Account
from app.accounts.service import get_account
from app.executions.model import ExecutionJob
from app.infra.db import db
from tests.dashboard.conftest import PASSWORD, Visitor

DELETE, EXPORT = "/settings/account/delete", "/settings/account/export"


def test_the_export_is_a_zip_of_ones_own(alice: Visitor, bob: Visitor, things: dict[str, int]) -> None:
    answer = bob.get(EXPORT)
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("application/zip", "no-store")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        assert not [name for name in archive.namelist() if name.startswith("projects/")]
    with zipfile.ZipFile(io.BytesIO(alice.get(EXPORT).data)) as archive:
        assert f"projects/{things['project_id']}/pages.csv" in archive.namelist()


def test_an_account_is_exported_ten_times_an_hour(alice: Visitor, bob: Visitor) -> None:
    for _ in range(10):
        assert alice.get(EXPORT).data.startswith(b"PK")
    refused = alice.get(EXPORT)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert bob.get(EXPORT).data.startswith(b"PK")


def test_the_page_says_what_becomes_of_everything(alice: Visitor, things: dict[str, int]) -> None:
    page = alice.get(DELETE).text
    for words in (
        "1 site",
        "1 page",
        "1 keyword",
        "1 post",
        "Executions are canceled",
        "signed out everywhere",
    ):
        assert words in page


def test_it_takes_the_password_to_delete_an_account(
    app: Flask, alice: Visitor, bob: Visitor, things: dict[str, int]
) -> None:
    wrong = alice.send(DELETE, {"password": "not this one"})
    assert (wrong.status_code, "not your current password" in wrong.text) == (422, True)
    job = alice.send(f"/projects/{things['project_id']}/posts/generate", {"length": "500"})
    assert job.status_code == 302
    assert alice.send(DELETE, {"password": PASSWORD}).location == "/sign-in"
    assert "is being deleted" in alice.get("/sign-in").text
    with alice.client.session_transaction() as kept:
        assert "token" not in kept
    assert alice.sign_in("alice@example.com").status_code == 422
    assert bob.get("/projects").status_code == 200
    with app.app_context():
        assert set(db.session.scalars(select(ExecutionJob.status))) == {"canceled"}
        asked = {row.email: row.deletion_asked_at is not None for row in db.session.scalars(select(Account))}
    assert asked == {"alice@example.com": True, "bob@example.com": False}


def test_an_account_is_blocked_and_let_in_again_by_command_line(app: Flask, alice: Visitor) -> None:
    run = app.test_cli_runner().invoke
    assert run(args=["user", "block", "alice@example.com"]).exit_code == 0
    assert alice.get("/projects").status_code == 302
    assert alice.sign_in("alice@example.com").status_code == 422
    assert run(args=["user", "unblock", "alice@example.com"]).exit_code == 0
    assert alice.sign_in("alice@example.com").status_code == 302


def test_an_account_is_exported_and_deleted_by_command_line(
    app: Flask, alice: Visitor, bob: Visitor, things: dict[str, int], tmp_path: Path
) -> None:
    run, file = app.test_cli_runner().invoke, tmp_path / "alice.zip"
    assert run(args=["user", "export", "alice@example.com", str(file)]).exit_code == 0
    assert zipfile.ZipFile(file).testzip() is None
    refused = run(args=["user", "delete", "alice@example.com"], input="n\n")
    assert (refused.exit_code, "posts: 1" in refused.stdout) == (1, True)
    assert alice.get("/projects").status_code == 200
    assert run(args=["user", "delete", "alice@example.com", "--yes"]).exit_code == 0
    assert alice.get("/projects").status_code == 302
    with app.app_context():
        assert get_account(1).deletion_asked_at is not None
