"""The security log in the dashboard and on the command line."""

from __future__ import annotations

import re

from flask import Flask

from app.accounts.keys import create_key
from app.accounts.service import find_account
from app.infra.db import db
from tests.dashboard.conftest import Visitor


def test_a_person_sees_their_own_events_with_their_origin(alice: Visitor, bob: Visitor) -> None:
    alice.send("/settings/api-keys", {"name": "<b>Zapier</b>", "access": "write", "days": ""})
    bob.send("/settings/api-keys", {"name": "Bob's key", "access": "write", "days": ""})
    page = alice.get("/settings/security-log").text
    found = re.findall(r'<th scope="row">\s*([^<]+?)\s*<', page)
    assert found == ["API key created", "Signed in", "Account created"]
    assert "&lt;b&gt;Zapier&lt;/b&gt;" in page
    assert "127.0.0.1" in page
    assert "Bob" not in page


def test_a_key_is_named_as_the_origin_of_what_it_did(app: Flask, alice: Visitor, project_id: int) -> None:
    with app.app_context():
        account = find_account("alice@example.com")
        assert account is not None
        text = create_key(account, "ci")[1]
    hook = {"name": "Hook", "kind": "webhook", "settings": {"url": "https://alice.example.com/hook"}}
    path = f"/public-api/projects/{project_id}/publish-targets"
    assert alice.client.post(path, json=hook, headers={"X-API-Key": text}).status_code == 201
    assert "API key &#34;ci&#34;" in alice.get("/settings/security-log").text


def test_a_wrong_password_is_seen_by_its_owner(alice: Visitor, charlie: Visitor) -> None:
    charlie.sign_in("alice@example.com", "another password")
    assert "Sign-in failed" in alice.get("/settings/security-log").text


def test_the_operator_lists_the_events_of_one_account_or_all(
    app: Flask, alice: Visitor, bob: Visitor
) -> None:
    with app.app_context():
        db.session.remove()
    run = app.test_cli_runner().invoke
    everything = run(args=["security-log"]).stdout.splitlines()
    assert [line.split("\t")[2] for line in everything] == ["signed_in", "account_created"] * 2
    assert len(run(args=["security-log", "bob@example.com"]).stdout.splitlines()) == 2
    assert len(run(args=["security-log", "--most", "1"]).stdout.splitlines()) == 1
