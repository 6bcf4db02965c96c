"""Syncs in the dashboard: what changed, what is held, and a person's word on it."""

from __future__ import annotations

import re

import pytest

from app.executions.schedule import submit_due_syncs
from tests.support.sites import feed
from tests.support.syncing import age_quarantines

PAGES = 90


@pytest.fixture
def settings_overrides(site):
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def shop(alice, site):
    """The address of a shop whose sitemap lists 90 pages, all synced."""
    lists(site, range(PAGES))
    fields = {"url": site.url, "sitemap_url": f"{site.url}/sitemap.xml"}
    address = alice.send("/projects/new", fields).location.removesuffix("/start")
    sync(alice, address)
    return address


@pytest.fixture
def quarantined(alice, shop, site):
    """The address of the sync that held the loss of 60 of them."""
    lists(site, range(30))
    sync(alice, shop)
    return latest(alice, shop)


def lists(site, numbers, body=""):
    urls = "".join(f"<url><loc>{site.url}/p{n}</loc></url>" for n in numbers)
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    site.serve("/sitemap.xml", f'<urlset xmlns="{namespace}">{urls}{body}</urlset>')


def sync(visitor, shop):
    with visitor.app.app_context():
        age_quarantines(11)
    visitor.send(f"{shop}/sync", page=f"{shop}/pages")
    visitor.run(re.search(r"/executions/\d+", visitor.get(f"{shop}/pages").text)[0])


def latest(visitor, shop):
    return re.search(rf"{shop}/syncs/\d+", visitor.get(f"{shop}/syncs").text)[0]


def test_a_quarantine_shows_how_many_and_which_pages_and_asks_for_confirmation(alice, shop, quarantined):
    for page in (f"{shop}/pages", quarantined):
        text = alice.get(page).text
        assert "60 of 90 pages are suddenly missing" in text
        assert f'action="{quarantined}/confirm"' in text
        assert "These pages are gone" in text
    text = alice.get(quarantined).text
    assert "Missing 60" in text
    assert "/p30" in text
    assert f'href="{quarantined}/missing"' in text


def test_the_execution_of_a_sync_says_what_it_changed_and_leads_there(alice, shop, quarantined):
    job = re.search(r"/executions/\d+", alice.get(quarantined).text)[0]
    text = alice.get(job).text
    assert "60 missing and kept." in text
    assert "until you decide" in text
    assert f'href="{quarantined}"' in text
    alice.send(f"{quarantined}/confirm", page=quarantined)
    assert "until you decide" not in alice.get(job).text


def test_a_failed_sync_can_be_tried_again_where_it_is_shown(alice, shop, site):
    site.serve("/sitemap.xml", status=503)
    sync(alice, shop)
    text = alice.get(latest(alice, shop)).text
    assert re.search(r'action="/executions/\d+/retry"', text)


def test_syncs_are_found_by_a_page_that_they_changed_and_by_how_they_went(alice, shop, quarantined):
    def found(query):
        text = alice.get(f"{shop}/syncs?{query}").text
        return re.findall(rf'scope="row">\s*<a href="({shop}/syncs/\d+)"', text)

    both = found("")
    assert len(both) == 2
    assert both[0] == quarantined
    assert found("order=oldest") == both[::-1]
    assert found("outcome=trouble") == found("q=p30")[:1] == [quarantined]
    assert found("q=p30") == both
    assert found("q=p5&outcome=changed") == both[1:]
    assert found("q=nowhere") == []


def test_a_growing_removal_shows_what_was_marked_stale_and_what_still_waits(alice, shop, quarantined, site):
    assert "Nothing was marked stale yet." in alice.get(quarantined).text
    lists(site, range(5))
    sync(alice, shop)
    text = alice.get(latest(alice, shop)).text
    assert "Not all missing pages were marked stale yet." in text
    assert "25 of 30 pages are suddenly missing" in text
    assert "Missing 25" in text
    assert "Stale 60" in text


def test_a_confirmation_marks_the_pages_stale_and_is_in_the_history(alice, shop, quarantined):
    answer = alice.send(f"{quarantined}/confirm", page=quarantined)
    assert answer.status_code == 302
    text = alice.get(answer.location).text
    assert "Marked stale: 60." in text
    assert "Stale 60" in text
    assert "removals confirmed" in alice.get(f"{shop}/syncs").text
    listed = alice.get(f"{shop}/pages").text
    assert "Stale 60" in listed
    assert "These pages are gone" not in listed
    assert "has decided about them since" in listed


def test_an_open_quarantine_is_shown_whatever_the_last_sync_did(alice, shop, quarantined, site):
    lists(site, range(30))
    whole = site.routes["/sitemap.xml"].body
    for body, words in (
        (whole[:-20], "The sitemap could only be read in part"),
        (b"Welcome", "SITEMAP_INVALID"),
    ):
        site.serve("/sitemap.xml", body)
        sync(alice, shop)
        asks_for_confirmation(alice, shop, quarantined, words)
    alice.send(f"{shop}/sync", page=f"{shop}/pages")
    asks_for_confirmation(alice, shop, quarantined, "Cancel the sync")


def asks_for_confirmation(alice, shop, quarantined, besides):
    """Pages shows both what became of the last sync and the loss that is open."""
    text = alice.get(f"{shop}/pages").text
    assert besides in text
    assert re.search(rf'Since <a href="{quarantined}">an earlier sync</a>: 60 of 90 pages', text)
    assert text.count(f'action="{quarantined}/confirm"') == 1


def test_the_overview_and_the_list_of_projects_show_an_open_quarantine(alice, shop, quarantined, site):
    for page in (shop, "/projects"):
        text = alice.get(page).text
        assert "missing pages kept" in text
        assert "synced" not in text
    text = alice.get(shop).text
    assert re.search(rf'Needs attention.*60 pages vanished at once.*href="{quarantined}"', text, re.DOTALL)
    site.serve("/sitemap.xml", "Welcome")
    sync(alice, shop)
    for page in (shop, "/projects"):
        assert re.search("✗</span>not read.*◍</span>missing pages kept", alice.get(page).text, re.DOTALL)
    alice.send(f"{quarantined}/confirm", page=quarantined)
    for page in (shop, "/projects"):
        assert "missing pages kept" not in alice.get(page).text


def test_what_happened_distinguishes_missing_pages_from_no_change(alice, shop, quarantined, site):
    text = alice.get(shop).text
    assert "were read" in text
    assert "60 missing and kept" in text
    for job in re.findall(r"/executions/\d+", text):
        assert "The pages of this post" not in alice.get(job).text


def test_a_quarantine_that_a_later_sync_renewed_is_not_shown_as_decided(alice, shop, quarantined, site):
    site.routes["/other.xml"] = site.routes["/sitemap.xml"]
    fields = {"name": "Shop", "sitemap_url": f"{site.url}/other.xml"}
    assert alice.send(f"{shop}/edit", fields).status_code == 302
    sync(alice, shop)
    again = latest(alice, shop)
    text = alice.get(quarantined).text
    assert f'<a href="{again}">found missing again by a later sync</a>' in text
    assert "decided about them since" not in text
    assert "confirm-removals" not in text
    alice.send(f"{again}/confirm", page=again)
    assert "decided about them since" in alice.get(quarantined).text


def test_a_second_confirmation_changes_nothing(alice, shop, quarantined):
    token = alice.hidden(quarantined)
    for words in ("Marked stale: 60.", "Nothing was changed"):
        answer = alice.client.post(f"{quarantined}/confirm", data=token)
        assert words in alice.get(answer.location).text


def test_only_the_owner_may_confirm_removals(alice, bob, charlie, shop, quarantined):
    assert bob.client.post(f"{quarantined}/confirm", data=bob.hidden("/projects")).status_code == 404
    assert (
        "/sign-in" in charlie.client.post(f"{quarantined}/confirm", data=charlie.hidden("/sign-in")).location
    )
    assert "Stale 0" in alice.get(f"{shop}/pages").text


def test_a_confirmation_without_the_token_of_the_page_is_refused(alice, shop, quarantined):
    assert alice.client.post(f"{quarantined}/confirm").status_code == 400
    assert alice.get(f"{quarantined}/confirm").status_code == 405
    assert "Stale 0" in alice.get(f"{shop}/pages").text


def test_long_lists_of_changes_have_pages(alice, bob, shop, quarantined):
    first = alice.get(f"{quarantined}/missing").text
    assert "1–25 of 60" in first
    assert "51–60 of 60" in alice.get(f"{quarantined}/missing?page=3").text
    assert "There are none" in alice.get(f"{quarantined}/new").text
    assert alice.get(f"{quarantined}/nonsense").status_code == 404
    assert bob.get(f"{quarantined}/missing").status_code == 404


def test_a_sync_shows_what_is_new_and_what_turned_stale(alice, shop, site):
    lists(site, range(1, PAGES + 1))
    sync(alice, shop)
    text = alice.get(latest(alice, shop)).text
    assert re.search(r"New 1</h2>.*/p90", text, re.DOTALL)
    assert re.search(r"Stale 1</h2>.*/p0<", text, re.DOTALL)
    lists(site, range(PAGES + 1))
    sync(alice, shop)
    assert "Returned 1" in alice.get(latest(alice, shop)).text
    sync(alice, shop)
    assert "No change." in alice.get(latest(alice, shop)).text


def test_other_sites_are_named_with_their_counts(alice, shop, site):
    lists(site, range(PAGES), "<url><loc>https://other.example/x</loc></url>" * 2)
    sync(alice, shop)
    text = alice.get(latest(alice, shop)).text
    assert "Pages of another site, left out: 2." in text
    assert "https://other.example" in text


def test_the_time_of_the_next_sync_is_shown(alice, shop):
    assert re.search(r"Next automatic sync: <time[^>]*>in \d+ h<", alice.get(f"{shop}/pages").text)


def test_a_feed_is_shown_as_a_feed_and_not_as_unreadable(alice, shop, site):
    site.serve("/sitemap.xml", feed([f"{site.url}/p1"]))
    sync(alice, shop)
    for page in (f"{shop}/pages", latest(alice, shop)):
        text = alice.get(page).text
        assert "The sitemap is a feed." in text
        assert "The sitemap could only be read in part" not in text


def test_a_first_sitemap_that_is_empty_is_shown_so_and_asks_for_no_confirmation(alice, site):
    lists(site, [])
    fields = {"url": site.url, "sitemap_url": f"{site.url}/sitemap.xml"}
    shop = alice.send("/projects/new", fields).location.removesuffix("/start")
    sync(alice, shop)
    for page in (f"{shop}/pages", latest(alice, shop)):
        text = alice.get(page).text
        assert "The sitemap is empty." in text
        assert "These pages are gone" not in text
        assert "decided about them since" not in text


def test_a_search_for_a_sitemap_that_failed_is_made_again_with_retry_now_and_sync_now(app, alice, site):
    site.serve("/robots.txt", status=503)
    project = alice.send("/projects/new", {"url": site.url}).location.removesuffix("/start")
    with app.app_context():
        submit_due_syncs()
    failed = re.search(r"/executions/\d+", alice.get(f"{project}/pages").text)[0]
    alice.run(failed)
    assert f'action="{failed}/retry"' in alice.get(failed).text
    assert alice.get(f"{project}/pages").text.count("btn-main") == 1
    again = alice.send(f"{failed}/retry", page=failed)
    assert re.fullmatch(r"/executions/\d+", again.location)
    alice.run(again.location)
    assert alice.send(f"{project}/sync", page=f"{project}/pages").status_code == 302


def test_a_sync_is_not_found_in_another_project(alice, bob, shop):
    """Neither another project of the same account nor another account shows it."""
    sync_id = latest(alice, shop).rpartition("/")[2]
    for visitor in (alice, bob):
        other = visitor.send("/projects/new", {"url": "https://other.example.com/"}).location.removesuffix(
            "/start"
        )
        assert visitor.get(f"{other}/syncs/{sync_id}").status_code == 404
        assert visitor.get(f"{other}/syncs/{sync_id}/new").status_code == 404


def test_each_file_of_the_sitemap_is_shown_with_its_urls_and_its_error(alice, bob, shop, site):
    address = f"{shop}/sitemap"
    assert f'href="{address}"' in alice.get(f"{shop}/pages").text
    assert f"{site.url}/sitemap.xml" in alice.get(address).text
    assert "Not read as a whole" not in alice.get(address).text
    assert "Each file was read as a whole" in alice.get(f"{address}?state=failed").text
    site.serve("/sitemap.xml", "", status=503)
    sync(alice, shop)
    assert "Not read as a whole: The server answered 503." in alice.get(f"{address}?state=failed").text
    assert bob.get(address).status_code == 404
