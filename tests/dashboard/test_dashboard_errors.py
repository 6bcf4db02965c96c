"""Error pages: what happened, and one button that leads on."""

from __future__ import annotations

import pytest
from flask import Flask
from werkzeug.exceptions import Forbidden, HTTPException, NotFound, RequestEntityTooLarge, ServiceUnavailable

from app.dashboard.ui.errors import show_error
from tests.dashboard.conftest import Visitor

HOST = "http://localhost"


def button_after(
    app: Flask, error: HTTPException, path: str, method: str = "GET", referrer: str | None = None
) -> str:
    """The link of the main button on the page of an error."""
    headers = {"Referer": referrer} if referrer else {}
    with app.test_request_context(path, method=method, headers=headers):
        answer = show_error(error)
    assert isinstance(answer, tuple)
    page = str(answer[0])
    return page.partition('<a class="btn btn-main" href="')[2].partition("</a>")[0]


def test_a_page_that_could_not_be_shown_can_be_asked_for_again(app: Flask) -> None:
    button = button_after(app, ServiceUnavailable(), "/projects?page=2")
    assert button == '/projects?page=2">Try again'


def test_a_form_that_was_refused_leads_back_to_its_page(app: Flask) -> None:
    sender = f"{HOST}/projects/1/images?page=2"
    button = button_after(app, RequestEntityTooLarge(), "/projects/1/images", "POST", sender)
    assert button == '/projects/1/images?page=2">Back to the page'


@pytest.mark.parametrize("referrer", [None, "https://evil.example/", "http://localhost//evil.example/"])
def test_without_a_page_of_ours_before_it_the_start_page_is_next(app: Flask, referrer: str | None) -> None:
    button = button_after(app, RequestEntityTooLarge(), "/projects/1/images", "POST", referrer)
    assert button == '/">Go to the start page'


def test_what_is_not_there_is_not_asked_for_again(app: Flask) -> None:
    assert button_after(app, NotFound(), "/nowhere") == '/">Go to the start page'


def test_a_refusal_without_words_of_its_own_is_shown_plainly(app: Flask) -> None:
    with app.test_request_context("/projects"):
        page, status, _ = show_error(Forbidden())
    assert status == 403
    assert "The service refused this request." in page
    assert "resource" not in page


def test_a_form_without_its_token_leads_back_to_its_page(alice: Visitor) -> None:
    answer = alice.client.post("/settings/profile", headers={"Referer": f"{HOST}/settings"})
    assert answer.status_code == 400
    assert 'href="/settings">Back to the page' in answer.text


def test_what_cannot_be_done_to_a_site_leads_on_within_it(alice: Visitor, project_id: int) -> None:
    here = f"/projects/{project_id}/autopilot"
    days = {"weekdays": ["1"], "hour": "9", "zone": "UTC", "mode": "write", "enabled": "y"}
    assert alice.send(here, days).status_code == 302
    token = alice.hidden(f"{here}/next")
    page = alice.client.post(
        f"{here}/skip", data={**token, "run_at": "2020-01-01T09:00:00+00:00"},
        headers={"Referer": f"{HOST}{here}/next"},
    )  # fmt: skip
    assert page.status_code == 409
    assert f'<a class="btn btn-main" href="/projects/{project_id}/calendar">Open the calendar' in page.text
    assert f'<a class="btn btn-calm" href="{here}/next">Go back' in page.text
    assert "List schedule" not in page.text
    assert f'<a href="/projects/{project_id}">Alice' in page.text, "the page is one of the site"
