"""What every blueprint of the dashboard does before its views, and where it leads afterwards."""

from __future__ import annotations

import io

import pytest
from flask import Flask, request

from app.dashboard.ui import addresses
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.failures import ServiceFailure
from app.infra.db import db
from tests.dashboard.conftest import Visitor

HERE = "http://localhost"
ELSEWHERE = "https://evil.example"


@pytest.fixture
def sheds(app: Flask) -> None:
    """One more blueprint of the dashboard: a view that answers, and one that fails."""
    blueprint = dashboard_blueprint("sheds", "/sheds")

    @blueprint.route("/", methods=["GET", "POST"])
    def index() -> str:
        return f"sheds {request.form.get('name', '')}"

    @blueprint.get("/failing")
    def failing() -> str:
        raise ServiceFailure("ROLLBACK_NOT_ALLOWED")

    assert blueprint.import_name == "app.dashboard.sheds"
    app.register_blueprint(blueprint)


class Form(io.BytesIO):
    """A form that notes, while it is read, whether a transaction is open."""

    def __init__(self, text: str) -> None:
        super().__init__(text.encode())
        self.length = str(len(text))
        self.waited: set[bool] = set()

    def read(self, size: int | None = -1) -> bytes:
        self.waited.add(db.session().in_transaction())
        return super().read(size)

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        self.waited.add(db.session().in_transaction())
        return super().readinto(buffer)


@pytest.mark.usefixtures("sheds")
def test_a_view_of_a_blueprint_needs_a_session_and_a_form_token(charlie: Visitor, alice: Visitor) -> None:
    assert charlie.get("/sheds/?size=2").location == "/sign-in?next=/sheds/?size%3D2"
    assert charlie.get("/sheds/").location == "/sign-in?next=/sheds/"
    assert alice.get("/sheds/").text == "sheds "
    assert alice.client.post("/sheds/", data={"name": "Shed 1"}).status_code == 400
    sent = alice.client.post("/sheds/", data={**alice.hidden("/settings"), "name": "Shed 1"})
    assert (sent.status_code, sent.text) == (200, "sheds Shed 1")


@pytest.mark.usefixtures("sheds")
def test_the_failure_of_a_view_is_a_page_with_its_message(alice: Visitor) -> None:
    answer = alice.get("/sheds/failing")
    assert (answer.status_code, answer.mimetype) == (409, "text/html")
    assert "Only a succeeded job can be rolled back." in answer.text


@pytest.mark.usefixtures("sheds")
def test_a_form_that_arrives_slowly_keeps_no_transaction_open(alice: Visitor) -> None:
    form = Form(f"csrf_token={alice.hidden('/settings')['csrf_token']}&name=Shed")
    answer = alice.client.post(
        "/sheds/",
        input_stream=form,
        headers={"Content-Length": form.length},
        content_type="application/x-www-form-urlencoded",
    )
    assert (answer.text, form.waited) == ("sheds Shed", {False})


@pytest.mark.parametrize("sender", ["Origin", "Referer"])
def test_a_text_sent_without_a_session_is_shown_again_to_a_page_of_this_site_only(
    charlie: Visitor, alice: Visitor, things: dict[str, int], sender: str
) -> None:
    edit = f"/projects/{things['project_id']}/posts/{things['post_id']}/edit"
    form = {"content": "Words that nobody may lose.", "title": "Notes", "csrf_token": "old", "do": "save"}
    for person, status, words in (
        (charlie, 401, "You were signed out while you were writing."),
        (alice, 400, "You signed in again, so the form had to be renewed."),
    ):
        answer = person.client.post(edit, data=form, headers={sender: f"{HERE}{edit}"})
        assert (answer.status_code, words in answer.text) == (status, True)
        assert "Words that nobody may lose." in answer.text
        assert '<input type="hidden" name="title" value="Notes">' in answer.text
        assert 'name="do"' not in answer.text
        assert 'value="old"' not in answer.text
        for foreign in (ELSEWHERE, "http://[", ""):
            foreign_form = person.client.post(edit, data=form, headers={sender: foreign})
            assert foreign_form.status_code == (302 if person is charlie else 400)
            assert "Words that nobody may lose." not in foreign_form.text


def test_an_id_that_no_row_can_have_leads_nobody_to_sign_in(charlie: Visitor) -> None:
    answers = [charlie.get(f"/projects/{row_id}").status_code for row_id in (0, 1, 2**63 - 1, 2**63)]
    assert answers == [404, 302, 302, 404]


def test_a_secret_of_another_form_is_never_shown_again(alice: Visitor) -> None:
    sent = alice.client.post("/settings/password", data={"new": "secret words"}, headers={"Origin": HERE})
    assert "secret words" not in sent.text


@pytest.mark.parametrize(
    ("sender", "wanted"),
    [
        (f"{HERE}/projects/3/pages?q=a", "?next=/projects/3/pages?q%3Da"),
        (f"{HERE}//evil.example/", ""), (f"{ELSEWHERE}/projects", ""), ("http://[", ""), (HERE, ""),
        (None, ""),
    ],
)  # fmt: skip
def test_after_signing_in_the_sender_of_a_form_sees_the_page_that_it_was_on(
    charlie: Visitor, sender: str | None, wanted: str
) -> None:
    answer = charlie.client.post("/projects/3/pages", headers={"Referer": sender} if sender else {})
    assert answer.location == f"/sign-in{wanted}"


@pytest.mark.parametrize("target", ["/", "/projects?q=a//b", "/projects/3#top", "/[", "/ü"])
def test_a_path_of_this_site_is_one(target: str) -> None:
    assert addresses.local_path(target) == target


@pytest.mark.parametrize(
    "target",
    [
        None, "", "projects", "//evil.example", "///evil.example", "//[", "/\\evil.example",
        "\\\\evil.example", "/\t/evil.example", "/a\n", "https://evil.example/", "javascript:alert(1)",
    ],
)  # fmt: skip
def test_an_address_that_may_lead_elsewhere_is_no_path_of_this_site(target: str | None) -> None:
    assert addresses.local_path(target) is None


@pytest.mark.parametrize(
    ("method", "back", "wanted"),
    [
        ("GET", "/projects/3", "/projects/3"), ("POST", "/projects/3", "/projects/3"),
        ("GET", "//[", "/home"), ("POST", ELSEWHERE, "/home"), ("GET", None, "/home"),
    ],
)  # fmt: skip
def test_a_form_leads_back_to_the_page_that_it_names(method: str, back: str | None, wanted: str) -> None:
    sent = {} if back is None else {"back": back}
    with Flask(__name__).test_request_context(
        method=method, **{"data" if method == "POST" else "query_string": sent}
    ):
        assert addresses.back_or("/home") == wanted
