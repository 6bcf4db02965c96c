"""Projects, pages and keywords through their forms."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import update

from app.content.model import BlogPost
from app.infra.db import db
from app.projects.model import Project
from tests.support.forms import wrong
from tests.support.syncing import age_quarantines


def test_a_project_is_made_from_its_address_alone(alice):
    answer = alice.send("/projects/new", {"url": "https://shop.example.com"})
    overview, _, last = answer.location.rpartition("/")
    assert (re.sub(r"\d+", "1", overview), last) == ("/projects/1", "start")
    assert "<h1>shop.example.com</h1>" in alice.get(overview).text


def test_a_site_without_keywords_is_not_said_to_cover_none_of_none(alice, project_id):
    text = alice.get(f"/projects/{project_id}").text
    assert "none yet" in text
    assert "0 of 0" not in text


def test_the_same_website_twice_leads_to_the_first_project(alice, project_id):
    answer = alice.send("/projects/new", {"url": "https://alice.example.com/"})
    assert answer.status_code == 422
    assert f'href="/projects/{project_id}"' in answer.text
    assert "Open the project" in answer.text
    assert "Location header" not in answer.text


@pytest.mark.parametrize(
    ("typed", "url"),
    [("example.net", "https://example.net/"), (" http://example.net ", "http://example.net/")],
)
def test_a_website_without_its_scheme_is_taken_as_https(alice, typed, url):
    answer = alice.send("/projects/new", {"url": typed, "sitemap_url": "example.net/map.xml"})
    project = answer.location.removesuffix("/start")
    assert f'href="{url}"' in alice.get(project).text
    assert 'value="https://example.net/map.xml"' in alice.get(f"{project}/edit").text


@pytest.mark.parametrize("typed", ["not a website", "ftp://example.net", "javascript:alert(1)", "/shop"])
def test_an_invalid_website_is_rejected_beside_its_field(alice, typed):
    answer = alice.send("/projects/new", {"url": typed})
    assert answer.status_code == 422
    assert 'id="url-wrong"' in answer.text
    assert ("as your browser shows it" in answer.text) == ("ftp" not in typed)


def test_the_brief_is_saved_and_an_unknown_language_rejected(alice, project_id):
    path = f"/projects/{project_id}/edit"
    assert alice.send(path, {"name": "New name", "tone": "formal"}).status_code == 302
    assert "New name" in alice.get(f"/projects/{project_id}").text
    refused = alice.send(path, {"name": "Other", "language": "not a language"})
    assert refused.status_code == 422
    assert re.search(r'id="language-wrong".*?language tag.*?</p>', refused.text, re.DOTALL)
    assert "New name" in alice.get(f"/projects/{project_id}").text


def test_the_defaults_of_posts_are_saved_shown_and_cleared(alice, project_id):
    path = f"/projects/{project_id}/edit"
    defaults = {
        "global_instructions": "Be short.", "avoid": "cheap\r\n\r\nvery  unique", "closing_text": "Try it",
        "closing_url": "https://alice.example.com/try",
    }  # fmt: skip
    assert alice.send(path, {"name": "Shop", **defaults}).status_code == 302
    text = alice.get(path).text
    for shown in (">Be short.<", ">cheap\nvery unique<", 'value="Try it"', "alice.example.com/try"):
        assert shown in text.replace("\r", "").replace(">\n", ">")
    assert alice.send(path, {"name": "Shop", **dict.fromkeys(defaults, "")}).status_code == 302
    text = alice.get(path).text
    assert not any(gone in text for gone in ("Be short.", "cheap", 'Try it"', "alice.example.com/try"))


def test_the_models_of_a_project_are_saved_shown_and_cleared(alice, project_id):
    path = f"/projects/{project_id}/edit"
    models = {"llm_model": "gpt-5-mini", "llm_verify_model": "gpt-5-nano"}
    assert alice.send(path, {"name": "Shop", **models}).status_code == 302
    text = alice.get(path).text
    assert all(f'value="{model}"' in text for model in models.values())
    assert alice.send(path, {"name": "Shop", **dict.fromkeys(models, "")}).status_code == 302
    assert not any(f'value="{model}"' in alice.get(path).text for model in models.values())


def test_the_list_of_sources_is_chosen_and_given_up(alice, project_id):
    path = f"/projects/{project_id}/edit"
    for chosen in ("True", "False"):
        assert alice.send(path, {"name": "Shop", "list_sources": chosen}).status_code == 302
        assert re.search(rf'<option selected value="{chosen}">', alice.get(path).text)


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"llm_model": "gpt 5"}, "llm_model", "no spaces"),
        ({"llm_verify_model": "m" * 151}, "llm_verify_model", "at most 150 characters"),
        ({"global_instructions": "x" * 2001}, "global_instructions", "at most 2000 characters"),
        ({"avoid": "fine\n" + "x" * 81}, "avoid", "No. 2:"),
        ({"avoid": "\n".join(str(n) for n in range(31))}, "avoid", "at most 30"),
        ({"closing_text": "Try it"}, "closing_url", "required"),
        ({"closing_url": "https://alice.example.com/"}, "closing_text", "required"),
        ({"closing_text": "Try it", "closing_url": "shop"}, "closing_url", "http or https"),
    ],
)
def test_a_wrong_default_of_posts_is_shown_beside_its_field_and_typed_input_stays(
    alice, project_id, fields, field, words
):
    typed = {"name": "Another name", "summary": "A long summary."}
    answer = alice.send(f"/projects/{project_id}/edit", {**typed, **fields})
    assert answer.status_code == 422
    assert words in re.search(rf'id="{field}-wrong">(.*?)</p>', answer.text, re.DOTALL)[1]
    for text in (*typed.values(), *fields.values()):
        assert text.splitlines()[-1] in answer.text
    assert "Another name" not in alice.get(f"/projects/{project_id}").text


def test_syncing_without_a_sitemap_shows_what_to_do(alice, project_id):
    answer = alice.send(f"/projects/{project_id}/sync", page=f"/projects/{project_id}/pages")
    assert answer.status_code == 409
    assert "SITEMAP_MISSING" in answer.text
    assert f'href="/projects/{project_id}/edit"' in answer.text


def test_syncing_twice_by_a_double_click_makes_one_job(alice, project_id):
    sitemap = {"name": "Shop", "sitemap_url": "https://alice.example.com/sitemap.xml"}
    alice.send(f"/projects/{project_id}/edit", sitemap)
    fields = alice.hidden(f"/projects/{project_id}/pages")
    for _ in range(2):
        assert alice.client.post(f"/projects/{project_id}/sync", data=fields).status_code == 302
    assert alice.get("/executions?type=SYNC_SITEMAP").text.count('<th scope="row">') == 1


def test_syncing_from_a_page_that_was_left_before_syncs_again(alice, project_id):
    sitemap = {"name": "Shop", "sitemap_url": "https://alice.example.com/sitemap.xml"}
    alice.send(f"/projects/{project_id}/edit", sitemap)
    fields = alice.hidden(f"/projects/{project_id}/pages")
    for _ in range(2):
        alice.client.post(f"/projects/{project_id}/sync", data=fields)
        job = re.search(r"/executions/\d+", alice.get(f"/projects/{project_id}/pages").text)[0]
        alice.send(f"{job}/cancel", page=job)
    assert alice.get("/executions?type=SYNC_SITEMAP").text.count('<th scope="row">') == 2


def test_the_live_part_says_when_nothing_is_new(alice, project_id):
    sitemap = {"name": "Shop", "sitemap_url": "https://alice.example.com/sitemap.xml"}
    alice.send(f"/projects/{project_id}/edit", sitemap)
    alice.send(f"/projects/{project_id}/sync", page=f"/projects/{project_id}/pages")
    live = alice.get(f"/projects/{project_id}/syncs/live?since=0")
    assert 'data-final="no"' in live.text
    since = re.search(r'data-since="(\d+)"', live.text)[1]
    assert alice.get(f"/projects/{project_id}/syncs/live?since={since}").status_code == 204


def test_keywords_are_added_one_per_line_and_taken_out_of_use(alice, project_id, things):
    path = f"/projects/{project_id}/keywords"
    assert alice.send(path, {"lines": "Espresso  Grinder\n\ncoffee beans\r\nmoka pot"}).status_code == 302
    page = alice.get(path).text
    assert "2 added, 1 already there." in page
    assert "coffee beans" in page
    change = f"{path}/{things['keyword_id']}"
    assert alice.send(change, {"in_use": "no"}, page=path).status_code == 302
    assert 'aria-label="Use espresso grinder"' in alice.get(path).text


def test_a_keyword_that_is_too_long_is_named(alice, project_id):
    answer = alice.send(f"/projects/{project_id}/keywords", {"lines": "good one\n" + "x" * 90})
    assert answer.status_code == 422
    assert "is too long" in wrong(answer.text, "lines")
    assert "1 added." in answer.text
    assert "1 added" not in wrong(answer.text, "lines")
    left = re.search(r"<textarea[^>]*>\s*([^<]*)</textarea>", answer.text)[1]
    assert left == "x" * 90
    assert answer.text.index('id="lines-wrong"') < answer.text.index("List of keywords")


def test_what_people_typed_is_never_markup(alice, project_id):
    alice.send(f"/projects/{project_id}/keywords", {"lines": "<script>alert(1)</script>"})
    alice.send(f"/projects/{project_id}/edit", {"name": "<img src=x onerror=alert(1)>"})
    page = alice.get(f"/projects/{project_id}/keywords").text
    assert "<script>alert" not in page
    assert "<img src=x" not in page


def test_lists_have_pages(app, alice, project_id):
    lines = "\n".join(f"phrase {number}" for number in range(60))
    alice.send(f"/projects/{project_id}/keywords", {"lines": lines})
    path = f"/projects/{project_id}/keywords"
    assert "1–25 of 60" in alice.get(path).text
    last = alice.get(f"{path}?page=3&q=phrase").text
    assert "51–60 of 60" in last
    assert f'href="{path}?q=phrase&amp;page=2"' in last
    assert alice.get(f"{path}?page=nonsense").status_code == 200


def test_the_overview_leads_from_step_to_step(app, alice, project_id, things):
    def step():
        text = alice.get(f"/projects/{project_id}").text
        done = re.search(r">(\d of 6)<", text)[1]
        return done, re.search(r'<li class="now" aria-current="step">(.*?)</li>', text, re.DOTALL)[1]

    done, reading = step()
    assert (done, "Your pages" in reading, "btn" in reading) == ("4 of 6", True, False)
    with app.app_context():
        db.session.execute(update(Project).values(next_sync_at=None))
        db.session.commit()
    done, last = step()
    assert (done, "First post live" in last) == ("5 of 6", True)
    assert f'href="/projects/{project_id}/posts">Choose a post</a>' in last


def test_without_a_sitemap_the_pages_say_how_to_set_one(alice, project_id):
    text = alice.get(f"/projects/{project_id}/pages").text
    assert "searches for it in the background" in text
    assert f'href="/projects/{project_id}/edit"' in text


class TestSyncsThatExplainThemselves:
    @pytest.fixture
    def settings_overrides(self, site):
        return {"FETCH_ALLOW": site.address}

    @pytest.fixture
    def shop(self, alice, site):
        """The pages' list of a shop whose sitemap lists 30 pages."""
        self.lists(site, 30)
        fields = {"url": site.url, "sitemap_url": f"{site.url}/sitemap.xml"}
        return alice.send("/projects/new", fields).location.removesuffix("/start")

    def lists(self, site, count):
        urls = "".join(f"<url><loc>{site.url}/p{n}</loc></url>" for n in range(count))
        namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
        site.serve("/sitemap.xml", f'<urlset xmlns="{namespace}">{urls}</urlset>')

    def sync(self, alice, shop):
        alice.send(f"{shop}/sync", page=f"{shop}/pages")
        alice.run(re.search(r"/executions/\d+", alice.get(f"{shop}/pages").text)[0])
        return alice.get(f"{shop}/pages").text

    def test_a_quarantined_sync_shows_why_and_what_to_do(self, alice, shop, site):
        assert "<strong>30 new</strong>" in self.sync(alice, shop)
        self.lists(site, 5)
        text = self.sync(alice, shop)
        assert "missing pages kept" in text
        assert "25 of 30 pages are suddenly missing" in text
        assert "they turn stale when a complete sync at least ten minutes later finds the same" in text
        assert "These pages are gone" in text
        with alice.app.app_context():
            age_quarantines(11)
        assert "25 stale" in self.sync(alice, shop)

    def test_a_failed_sync_shows_its_failure_and_what_to_do(self, alice, shop, site):
        site.serve("/sitemap.xml", "<html>no sitemap</html>")
        text = self.sync(alice, shop)
        assert "SITEMAP_INVALID" in text
        assert "Check that the URL leads to an XML or text sitemap" in text
        assert "No page was marked stale" in text


def test_an_outline_is_called_one_and_counts_as_no_post_yet(app, alice, project_id, things):
    step = r'<b>First draft</b></a>\s*<span class="visually-hidden">\(done\)'
    listed, overview = f"/projects/{project_id}/posts", f"/projects/{project_id}"
    assert "outline</span>" not in alice.get(listed).text
    assert re.search(step, alice.get(overview).text)
    with app.app_context():
        db.session.execute(update(BlogPost).values(draft_kind="outline"))
        db.session.commit()
    assert "outline</span>" in alice.get(listed).text
    assert not re.search(step, alice.get(overview).text)
