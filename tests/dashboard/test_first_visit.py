"""The first visit: the landing page, an address kept through sign-up, and the way to the first draft."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import func, select

from app.executions.model import ExecutionJob
from app.executions.schedule import submit_due_syncs
from app.infra.db import db
from devtools.demo_site import FOLDER

PLACES = ("security", "faq", "guides/onboard-seasonal-staff", "features/shift-swaps")
ACCOUNT = {"email": "dora@example.com", "password": "a long password"}


def test_visitors_see_what_the_service_does_and_signed_in_people_their_projects(charlie, alice):
    page = charlie.get("/")
    assert page.status_code == 200
    assert "Every sentence from your own site" in page.text
    assert page.text.count("<h1") == 1
    assert alice.get("/").location == "/projects"


def test_the_example_pairs_each_sentence_with_a_source_without_a_script(charlie):
    text = charlie.get("/").text
    sources = re.findall(r'aria-describedby="(source-\w)"', text)
    assert len(sources) == 3
    assert all(f'id="{each}"' in text for each in sources)
    assert "live.js" not in text


def test_an_address_typed_before_sign_up_is_in_the_form_of_the_new_site(charlie):
    sign_up = charlie.get("/sign-up?site=yourshop.example").text
    assert 'name="site" type="hidden" value="yourshop.example"' in sign_up
    answer = charlie.send("/sign-up", {**ACCOUNT, "site": "yourshop.example"})
    assert answer.location == "/projects/new?site=yourshop.example"
    assert 'value="https://yourshop.example"' in charlie.get(answer.location).text


def test_the_landing_page_itself_makes_an_account(charlie):
    token = charlie.hidden("/")
    assert charlie.client.post("/sign-up", data={**token, **ACCOUNT}).location == "/projects/new"


def test_somebody_with_an_account_keeps_the_address_too(charlie, alice):
    link = re.search(r'href="(/sign-in\?next=[^"]+)"', charlie.get("/sign-up?site=yourshop.example").text)[1]
    answer = charlie.send(link, {"email": "alice@example.com", "password": "correct horse battery"})
    assert answer.location == "/projects/new?site=yourshop.example"
    assert alice.get("/sign-up?site=yourshop.example").location == answer.location


def test_the_landing_page_names_price_data_and_model(charlie):
    text = charlie.get("/").text
    assert "no plans and no payments" in text
    assert "no language model is set up" in text


def test_visitors_and_people_who_are_signed_in_read_who_sees_what(charlie, alice):
    assert 'href="/your-data"' in charlie.get("/").text
    text = " ".join(charlie.get("/your-data").text.split())
    assert "None is set up, so nothing is sent to one." in text
    assert "for 400 days after its end, working papers for 30 days" in text
    assert "Search Console" not in text
    assert 'href="/your-data"' in alice.get("/help").text
    assert 'href="/projects"' in alice.get("/your-data").text


class TestOperatorsWords:
    @pytest.fixture
    def settings_overrides(self):
        return {"PRICE_NOTE": "Free <until> June.", "TERMS_URL": "https://example.com/terms",
                "LLM_BASE_URL": "https://models.example.com/v1", "LLM_API_KEY": "k" * 20,
                "LLM_MODEL": "small"}  # fmt: skip

    def test_the_landing_page_says_what_the_operator_says(self, charlie):
        text = charlie.get("/").text
        assert "Free &lt;until&gt; June." in text
        assert "a language model of models.example.com" in text
        assert "models.example.com gets the passages" in charlie.get("/your-data").text
        assert 'href="https://example.com/terms"' in charlie.get("/sign-up").text


class TestClosedSignUp:
    @pytest.fixture
    def settings_overrides(self):
        return {"SIGN_UP": "closed"}

    def test_the_landing_page_offers_to_sign_in_alone(self, charlie):
        text = charlie.get("/").text
        assert "/sign-up" not in text
        assert "Read my site" not in text
        assert "/sign-in" in text


class TestTheFirstSite:
    @pytest.fixture
    def settings_overrides(self, site):
        return {"FETCH_ALLOW": site.address}

    @pytest.fixture
    def shop(self, site):
        """Four pages of a real website, with their sitemap."""
        kind = {"Content-Type": "text/html; charset=utf-8"}
        for place in PLACES:
            site.serve(f"/{place}", (FOLDER / f"{place}.html").read_text(encoding="utf-8"), headers=kind)
        urls = "".join(f"<url><loc>{site.url}/{place}</loc></url>" for place in PLACES)
        namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
        site.serve("/sitemap.xml", f'<urlset xmlns="{namespace}">{urls}</urlset>')
        site.serve("/", "<html><title>Rotas</title><p>Rotas.</html>", headers=kind)
        return site

    def check(self, visitor, url):
        return visitor.send("/projects/check", {"url": url}, page="/projects/new")

    def test_an_address_is_looked_at_for_signed_in_people_only(self, alice, charlie, shop):
        text = self.check(alice, shop.url).text
        assert "Sitemap found" in text
        assert "4 pages listed" in text
        asked = len(shop.requests)
        token = charlie.hidden("/")
        assert charlie.client.post("/projects/check", data={**token, "url": shop.url}).status_code == 302
        assert len(shop.requests) == asked

    def test_an_address_that_does_not_answer_or_may_not_be_asked_says_so(self, alice, shop):
        shop.serve("/", "", status=500)
        assert "The server answered 500." in self.check(alice, shop.url).text
        assert "bad-text" in self.check(alice, "http://169.254.169.254/").text
        assert "bad-text" in self.check(alice, "not a website").text

    def test_looking_at_many_addresses_is_limited(self, alice):
        answers = [self.check(alice, "not a website").status_code for _ in range(13)]
        assert answers == [200] * 12 + [429]

    def test_without_javascript_each_step_has_a_button_up_to_the_draft(self, app, alice, shop):
        start = alice.send("/projects/new", {"url": shop.url}).location
        assert "Looking for your sitemap" in alice.get(start).text
        with app.app_context():
            submit_due_syncs()
        run_newest(app, alice)
        assert "0 of 4" in alice.get(start).text
        fields = alice.hidden(start)
        sent = [alice.client.post(f"{start}/ideas", data=fields).location for _ in range(2)]
        assert sent == [start, start]
        assert jobs(app, "SUGGEST_TITLES") == 1
        run_newest(app, alice)
        text = alice.get(start).text
        assert "4 of 4" in text
        write = re.search(rf'action="({start}/ideas/\d+/\d+)"', text)[1]
        following = alice.send(write, page=start).location
        assert "Writing “" in alice.get(following).text
        run_newest(app, alice)
        assert re.fullmatch(r"/projects/\d+/posts/\d+", alice.get(following).location)
        text = alice.get(start).text
        assert "Your draft is ready" in text
        counted = re.search(r">(\d of 6)<", text)[1]
        assert counted == re.search(r">(\d of 6)<", alice.get(start.removesuffix("/start")).text)[1]

    def test_a_suggested_keyword_is_kept_and_given_back_with_one_press(self, app, alice, shop):
        start = alice.send("/projects/new", {"url": shop.url}).location
        with app.app_context():
            submit_due_syncs()
        run_newest(app, alice)
        alice.send(f"{start}/ideas", page=start)
        run_newest(app, alice)
        assert 'value="security and privacy"' in alice.get(start).text
        for keep, pressed in (("yes", 1), ("no", 0)):
            fields = {"text": "security and privacy", "keep": keep}
            assert alice.send(f"{start}/keywords", fields, page=start).location == f"{start}#keywords"
            assert alice.get(start).text.count('aria-pressed="true"') == pressed

    def test_a_site_without_a_sitemap_is_no_dead_end(self, app, alice, site):
        start = alice.send("/projects/new", {"url": site.url}).location
        with app.app_context():
            submit_due_syncs()
        run_newest(app, alice)
        text = alice.get(start).text
        assert "No sitemap was found" in text
        assert re.search(r'class="btn btn-main"[^>]*>Add pages', text)
        assert "Try again" not in text
        assert "Ideas come from your pages" in text
        assert 'data-say="No page could be found."' in text

    def test_pages_of_a_site_without_a_sitemap_are_pasted_and_lead_back(self, app, alice, site):
        start = alice.send("/projects/new", {"url": site.url}).location
        with app.app_context():
            submit_due_syncs()
        run_newest(app, alice)
        to_add = re.search(r'href="([^"]+)#add">Add pages', alice.get(start).text)[1]
        assert f'name="back" value="{start}"' in alice.get(to_add).text
        pasted = f"{site.url}/a\n\n {site.address}/b \n"
        pages = to_add.partition("?")[0]
        assert alice.send(pages, {"url": pasted, "back": start}).location == start
        assert "0 of 2" in alice.get(start).text
        assert f"{site.url}/b" in alice.get(f"{pages}/export.csv").text
        assert alice.send(pages, {"url": f"{site.url}/a"}).location.startswith(f"{pages}/")

    def test_a_site_that_was_away_is_read_again_from_the_same_page(self, app, alice, shop):
        shop.serve("/sitemap.xml", "", status=503)
        start = alice.send("/projects/new", {"url": shop.url}).location
        with app.app_context():
            submit_due_syncs()
        run_newest(app, alice)
        assert len(re.findall('class="btn btn-main"', alice.get(start).text)) == 1
        assert (
            alice.send(f"{start.removesuffix('/start')}/sync", {"back": start}, page=start).location == start
        )
        assert "Looking for your sitemap" in alice.get(start).text

    def test_a_page_that_is_listed_twice_is_counted_once(self, alice, shop):
        urls = "".join(f"<url><loc>{shop.url}/{place}</loc></url>" for place in (*PLACES, *PLACES))
        shop.serve("/sitemap.xml", f"<urlset>{urls}</urlset>")
        assert "4 pages listed" in self.check(alice, shop.url).text

    def test_a_sitemap_that_did_not_answer_is_not_called_missing(self, alice, shop):
        shop.serve("/sitemap.xml", "", status=503)
        text = self.check(alice, shop.url).text
        assert "did not answer in time" in text
        assert "No sitemap" not in text

    def test_a_site_without_a_secure_connection_shows_what_to_type(self, alice, shop):
        assert "begin its address with http://" in self.check(alice, shop.address).text

    def test_the_changing_part_is_sent_only_when_it_has_changed(self, alice, shop):
        start = alice.send("/projects/new", {"url": shop.url}).location
        since = re.search(r'data-since="([^"]+)"', alice.get(start).text)[1]
        assert alice.get(f"{start}/live?since={since}").status_code == 204
        assert alice.get(f"{start}/live").status_code == 200


def run_newest(app, visitor):
    with app.app_context():
        job_id = db.session.scalar(select(func.max(ExecutionJob.id)))
    visitor.run(f"/{job_id}")


def jobs(app, operation):
    with app.app_context():
        where = ExecutionJob.operation == operation
        return db.session.scalar(select(func.count()).select_from(ExecutionJob).where(where))


def test_the_api_reference_has_the_brand_and_a_way_back(charlie):
    text = charlie.get("/api/docs").text
    assert all(f'href="{way}"' in text for way in ("/", "/projects", "/settings/api-keys"))
    sheet = charlie.get(re.search(r"/assets/\w+/api-docs\.css", text)[0]).text
    assert "--paper" in sheet
