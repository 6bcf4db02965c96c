"""Google Search Console in the dashboard: connect by Google's consent, choose the site, disconnect."""

from __future__ import annotations

import logging
import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from app.accounts.service import find_account
from app.infra.clock import utc_now
from app.infra.db import db
from app.offboarding import deletion
from app.projects.service import create_project
from app.search_performance.model import SearchConnection
from tests.support.google import GoogleSite, bee_property
from tests.support.servers import Request

SITE = "sc-domain:alice.example.com"


@pytest.fixture
def settings_overrides(google: GoogleSite) -> dict[str, str]:
    return google.environment()


@pytest.fixture
def here(project_id):
    """The page of the connection of Alice's project."""
    return f"/projects/{project_id}/search/google"


def consented(visitor, google, here):
    """Go to Google and consent there; returns the way back with its query."""
    away = visitor.get(f"{here}/connect")
    assert away.status_code == 302
    assert away.location.startswith(f"{google.url}/o/oauth2/v2/auth?")
    back = google.answer(Request("GET", away.location.removeprefix(google.url), {}, b""))
    assert back.status == 302, back.body
    parts = urlsplit(dict(back.headers)["Location"])
    assert (parts.netloc, parts.path) == ("localhost", "/search/google/callback")
    return f"{parts.path}?{parts.query}"


def connected(visitor, google, here, site_url=SITE):
    """Connect and choose the site; returns the page of the first job."""
    answer = visitor.get(consented(visitor, google, here))
    assert answer.location == f"{here}/site"
    return visitor.send(f"{here}/site", {"site_url": site_url}).location


def said(visitor, answer):
    """What the page says that an answer leads to."""
    text = visitor.get(answer.location).text
    found = re.search(r"data-toast>\s*<span>(.*?)</span>", text, re.DOTALL)
    return found[1] if found else ""


def connections(app):
    with app.app_context():
        return db.session.query(SearchConnection).count()


def test_a_person_connects_chooses_the_site_and_sees_what_to_do(app, alice, google, here, project_id, caplog):
    caplog.set_level(logging.DEBUG)
    google.add("https://shop.example/")
    google.add("https://alice.example.com/")
    google.add("https://unverified.alice.example.com/").permission = "siteUnverifiedUser"
    google.add(SITE, bee_property())
    assert f'href="{here}"' in alice.get(f"/projects/{project_id}/search").text
    assert f'href="{here}/connect"' in alice.get(here).text
    back = consented(alice, google, here)
    code = parse_qs(urlsplit(back).query)["code"][0]
    assert alice.get(back).location == f"{here}/site"
    page = alice.get(f"{here}/site").text
    assert re.findall(r'value="(\S+)" required checked', page) == [SITE]
    assert "The whole domain" in page
    assert "unverified" not in page
    job_page = alice.send(f"{here}/site", {"site_url": SITE}).location
    assert "Your search results" in alice.get(job_page).text
    alice.run(job_page)
    assert f'href="/projects/{project_id}/search"' in alice.get(job_page).text
    todo = alice.get(f"/projects/{project_id}/search").text
    assert "bee swarm" in todo.split('id="near_top"')[1].split('id="without_post"')[0]
    assert "alice.example.com in Google Search Console" in todo
    pages = "".join(alice.get(path).text for path in (here, f"{here}/site", job_page, "/executions"))
    with app.app_context():
        stored = db.session.query(SearchConnection).one().refresh_token
    hidden = {code, *google.secrets()}
    assert [each for each in hidden if each in pages + todo + stored + caplog.text] == []


def test_nobody_connects_with_the_consent_of_another(app, alice, bob, google, here, project_id):
    with app.app_context():
        bobs = create_project(find_account("bob@example.com"), {"url": "https://bob.example.com/"}).id
    back = consented(alice, google, here)
    assert "did not begin in this browser" in said(bob, bob.get(back))
    own = consented(bob, google, f"/projects/{bobs}/search/google")
    code = parse_qs(urlsplit(back).query)["code"][0]
    injected = re.sub(r"code=[^&]+", f"code={code}", own)
    assert "Google was not connected." in said(bob, bob.get(injected)), "the verifier is another"
    assert connections(app) == 0
    for path in ("", "/connect", "/site"):
        assert bob.get(f"{here}{path}").status_code == 404
    token = bob.hidden("/settings")
    for path in ("/site", "/fetch", "/disconnect"):
        assert bob.client.post(f"{here}{path}", data=token).status_code == 404


def test_a_way_back_is_of_use_once_and_for_a_quarter_of_an_hour(app, alice, google, here, monkeypatch):
    back = consented(alice, google, here)
    changed = back.replace("state=", "state=x")
    assert "did not begin" in said(alice, alice.get(changed))
    assert "did not begin" in said(alice, alice.get(back)), "one wrong state ends it"
    late = consented(alice, google, here)
    with monkeypatch.context() as clock:
        later = utc_now() + timedelta(minutes=16)
        clock.setattr("app.dashboard.google.utc_now", lambda: later)
        assert "too long" in said(alice, alice.get(late))
    again = consented(alice, google, here)
    assert alice.get(again).location == f"{here}/site"
    assert "did not begin" in said(alice, alice.get(again))
    assert connections(app) == 1


def test_the_code_is_not_repeated_to_somebody_who_is_signed_out(alice, charlie, google, here):
    answer = charlie.get(consented(alice, google, here))
    assert answer.location == "/sign-in"


def test_a_person_may_refuse_or_allow_too_little(app, alice, google, here):
    google.allows = False
    assert "not allowed" in said(alice, alice.get(consented(alice, google, here)))
    google.allows, google.scope = True, "openid"
    assert "not allowed to share" in said(alice, alice.get(consented(alice, google, here)))
    assert connections(app) == 0


def test_only_a_site_of_the_person_can_be_chosen(app, alice, google, here):
    google.add(SITE, bee_property())
    google.add("sc-domain:bob.example.com", person="bob@gmail.example")
    refused = connected(alice, google, here, "sc-domain:bob.example.com")
    assert refused == f"{here}/site"
    assert "Choose one of the sites." in alice.get(refused).text
    with app.app_context():
        assert db.session.query(SearchConnection).one().site_url is None


def test_a_google_account_without_sites_gets_instructions(alice, google, here):
    alice.get(consented(alice, google, here))
    assert "This Google account has no sites" in alice.get(f"{here}/site").text


def test_disconnecting_revokes_the_access_unless_another_site_needs_it(app, alice, google, here):
    google.add(SITE, bee_property())
    with app.app_context():
        other = create_project(find_account("alice@example.com"), {"url": "https://b.alice.example.com/"}).id
    second = f"/projects/{other}/search/google"
    job_page = connected(alice, google, here)
    other_page = connected(alice, google, second)
    assert "your other sites may use it" in said(alice, alice.send(f"{here}/disconnect", page=here))
    assert len(google.refresh_tokens) == 2, "Google would revoke both"
    assert connections(app) == 1
    alice.run(other_page)
    assert "revoked" in said(alice, alice.send(f"{second}/disconnect", page=second))
    assert google.refresh_tokens == {}
    assert connections(app) == 0
    alice.run(job_page)
    assert "not connected" in alice.get(job_page).text


def test_disconnecting_works_while_google_is_away(app, alice, google, here):
    google.add(SITE, bee_property())
    connected(alice, google, here)
    google.close()
    assert "myaccount.google.com" in said(alice, alice.send(f"{here}/disconnect", page=here))
    assert connections(app) == 0


def test_removing_a_site_revokes_its_access(app, alice, google, here, project_id):
    google.add(SITE, bee_property())
    alice.run(connected(alice, google, here))
    token = alice.hidden(here)
    assert alice.client.post(f"/projects/{project_id}/remove", data=token).status_code == 302
    assert alice.get(here).status_code == 404
    assert (google.refresh_tokens, connections(app)) == ({}, 0)


def test_deleting_an_account_revokes_its_access(app, alice, google, here):
    google.add(SITE, bee_property())
    alice.run(connected(alice, google, here))
    with app.app_context():
        account = find_account("alice@example.com")
        deletion.ask_for_deletion(account)
        account.deletion_asked_at -= deletion.PAUSE
        db.session.commit()
        assert deletion.delete_due_accounts() == 1
    assert google.refresh_tokens == {}


def test_a_withdrawn_permission_is_mended_by_connecting_again(app, alice, google, here, project_id):
    google.add(SITE, bee_property())
    alice.run(connected(alice, google, here))
    google.withdraw(google.person)
    job_page = alice.send(f"{here}/fetch", page=here).location
    alice.run(job_page)
    overview = alice.get(f"/projects/{project_id}").text
    assert "Your search results" in overview
    assert re.search(rf'href="{here}/connect"[^>]*>\s*Connect again', overview)
    assert f'href="{here}/connect"' in alice.get(job_page).text
    assert "no longer accepts" in alice.get(f"/projects/{project_id}/search").text
    alice.get(consented(alice, google, here))
    with app.app_context():
        found = db.session.query(SearchConnection).one()
        assert (found.site_url, found.failure) == (SITE, None)
        assert found.next_fetch_at is not None
    assert "Figures until" in alice.get(f"/projects/{project_id}").text
    assert "Connect again" not in alice.get(f"/projects/{project_id}").text


def test_reading_now_twice_makes_one_job(alice, google, here):
    google.add(SITE, bee_property())
    first = connected(alice, google, here)
    assert alice.send(f"{here}/fetch", page=here).location == first


class TestWithoutARegistration:
    @pytest.fixture
    def settings_overrides(self):
        return {}

    def test_nothing_of_google_is_shown(self, alice, here, project_id):
        assert alice.get(here).status_code == 404
        page = alice.get(f"/projects/{project_id}/search").text
        assert "Import an export" in page
        assert here not in page
