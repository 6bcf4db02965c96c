"""Connecting a blog in the dashboard: test it, edit it, choose it, remove it."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app.infra.db import db
from app.publishing.model import PublishTarget
from tests.dashboard.conftest import Visitor
from tests.dashboard.connecting import FIELDS, connect, words
from tests.support.publishing import Receiver
from tests.support.servers import SiteServer
from tests.support.target_kinds import PASSWORD, Diary


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def target_of(app: Flask, path: str) -> PublishTarget:
    """The target of a page, as the database has it."""
    with app.app_context():
        number = re.search(r"targets/(\d+)", path)
        assert number is not None
        return db.session.get_one(PublishTarget, int(number[1]))


def test_each_kind_is_a_card_that_leads_to_its_form(alice: Visitor, targets: str, diary: Diary) -> None:
    text = alice.get(targets).text
    assert "What does your blog run on?" in text
    for kind in ("diary", "webhook"):
        assert f'href="{targets}/connect/{kind}"' in text
    form = alice.get(f"{targets}/connect/diary").text
    for words_of_kind in ("Address of the diary", "Inside the cover.", "Hidden drafts"):
        assert words_of_kind in form
    assert alice.get(f"{targets}/connect/pigeon").status_code == 404


def test_connecting_tests_at_once_and_shows_each_step(
    app: Flask, alice: Visitor, targets: str, diary: Diary
) -> None:
    page = connect(alice, targets)
    text = words(alice.get(page).text)
    assert "The connection works" in text
    assert "Passed: Your site answers The diary is there." in text
    target = target_of(app, page)
    assert (target.name, target.settings["url"]) == ("diary.example", "https://diary.example/")
    assert PASSWORD not in alice.get(page).text
    assert PASSWORD not in alice.get(f"{page}/edit").text
    assert target_of(app, connect(alice, targets)).name == "diary.example 2"


def test_a_failed_test_says_what_to_do_and_leads_to_the_form(
    app: Flask, alice: Visitor, targets: str, diary: Diary
) -> None:
    page = connect(alice, targets, secret="forgotten")
    text = alice.get(page).text
    assert "The connection does not work yet" in text
    assert "Status it answered 401 In its words Who are you?" in words(text)
    assert f'href="{page}/edit">Enter a new password or key' in text
    assert "Where to find the password" in text, "beside the failed step"
    wrong = alice.send(f"{page}/edit", {**FIELDS, "name": "Diary", "secret": "abcd"})
    assert (wrong.status_code, 'id="secret-wrong"' in wrong.text) == (422, True)
    assert "abcd" not in wrong.text
    assert "Enter a new password or key: diary.example" in alice.get(targets).text, "on its card, too"
    assert alice.send(f"{page}/edit", {**FIELDS, "name": "Diary"}).location == page
    assert "The connection works" in alice.get(page).text
    assert target_of(app, page).name == "Diary"


@pytest.mark.parametrize(
    ("kind", "words_beside"),
    [
        ("wordpress", "Where to find the application password"),
        ("ghost", "Where to find the admin API key"),
        ("github", "Where to find the access token"),
        ("webhook", "What your program does"),
    ],
)
def test_each_kind_shows_beside_its_form_what_is_needed(
    alice: Visitor, targets: str, kind: str, words_beside: str
) -> None:
    assert words_beside in words(alice.get(f"{targets}/connect/{kind}").text)


def test_an_empty_field_keeps_the_secret(app: Flask, alice: Visitor, targets: str, diary: Diary) -> None:
    page = connect(alice, targets)
    before = target_of(app, page).secret
    fields = {**FIELDS, "name": "Diary", "owner": "Bob", "secret": ""}
    assert alice.send(f"{page}/edit", fields).location == page
    after = target_of(app, page)
    assert (after.secret, after.settings["owner"]) == (before, "Bob")
    assert "The connection works" in alice.get(page).text


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"url": ""}, "url"), ({"url": "no url at all"}, "url"), ({"owner": ""}, "owner"),
     ({"secret": ""}, "secret"), ({"default_status": "later"}, "default_status"),
     ({"name": "x" * 81}, "name")],
)  # fmt: skip
def test_wrong_input_is_named_beside_its_field(
    alice: Visitor, targets: str, diary: Diary, wrong: dict[str, str], field: str
) -> None:
    answer = alice.send(f"{targets}/connect/diary", {**FIELDS, **wrong})
    assert answer.status_code == 422
    assert f'id="{field}-wrong"' in answer.text
    assert PASSWORD not in answer.text


def test_a_generated_secret_is_shown_once_before_the_test(
    alice: Visitor, targets: str, site: SiteServer
) -> None:
    receiver = Receiver(site)
    made = alice.send(f"{targets}/connect/webhook", {"name": "Blog", "url": receiver.url})
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    assert site.requests_for("/hook") == []
    secret = re.search(r'<code id="secret">([^<]+)</code>', made.text)
    page = re.search(rf'href="({targets}/\d+)">I copied it', made.text)
    assert secret is not None
    assert page is not None
    receiver.secret = secret[1]
    for path in (targets, page[1]):
        assert secret[1] not in alice.get(path).text
    assert "Not tested yet" in alice.get(page[1]).text
    assert alice.send(f"{page[1]}/test", page=page[1]).location == page[1]
    assert "The connection works" in alice.get(page[1]).text


def test_a_target_is_marked_as_the_project_s_own_choice(
    app: Flask, alice: Visitor, targets: str, diary: Diary
) -> None:
    first = connect(alice, targets)
    assert "Make it the default" not in alice.get(targets).text
    second = connect(alice, targets)
    assert alice.get(targets).text.count("Make it the default</button>") == 2
    assert alice.send(f"{second}/choice", {"chosen": "yes"}, page=targets).location == targets
    assert (target_of(app, first).is_default, target_of(app, second).is_default) == (False, True)
    assert "Posts go to diary.example 2 unless you choose another." in alice.get(targets).text
    alice.send(f"{second}/choice", {"chosen": "no"}, page=targets)
    assert target_of(app, second).is_default is False


def test_a_target_is_removed(alice: Visitor, targets: str, diary: Diary) -> None:
    page = connect(alice, targets)
    assert "Remove diary.example?" in alice.get(f"{page}/remove").text
    assert alice.send(f"{page}/remove").location == targets
    assert alice.get(page).status_code == 404
    assert "What does your blog run on?" in alice.get(targets).text


def test_a_repository_on_the_disk_is_offered_only_where_the_operator_set_a_folder(
    alice: Visitor, targets: str
) -> None:
    page = alice.get(targets).text
    assert f"{targets}/connect/github" in page
    assert f'{targets}/connect/git"' not in page
    assert alice.get(f"{targets}/connect/git").status_code == 404
