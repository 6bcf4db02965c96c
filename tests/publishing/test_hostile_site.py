"""A hostile site through the whole service: served, synced, read, written, shown and published."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from bs4 import BeautifulSoup
from flask import Flask

from app.accounts.keys import create_key
from app.accounts.service import get_account
from app.infra.db import db
from app.projects.model import Project
from tests.dashboard.conftest import Visitor, visitor_with_account
from tests.support import sync_jobs
from tests.support.hostile_pages import GOOD, MARKUP, TEXTS, active, everywhere, lax, strings
from tests.support.publishing import Receiver
from tests.support.reading import read, serve
from tests.support.servers import SiteServer
from tests.support.sites import project_at, urlset
from tests.support.working import run_job, working

A_PAGE = 7
BRIEF = [text for text in TEXTS.values() if len(text) < 1000]
SOUND = "".join(f"<h2>{heading} {{0}}</h2><p>{text} This is page {{0}} on it.</p>" for heading, text in GOOD)
FORM = """\
<h2>Asking for a beehive</h2>
<p>Whoever is asking for a beehive writes [contact-form-7 id="1"] into any page of the shop.</p>
<p>Asking for a beehive by letter takes longer, because somebody has to read the letter first.</p>
<h2>Answers to those asking for a beehive</h2>
<p>Everybody who is asking for a beehive gets an answer within a few days, and a catalogue too.</p>
<p>When many are asking for a beehive at once, the answers come in the order of the letters.</p>"""


@dataclass(frozen=True)
class Customer:
    """Alice, in her browser and with her key."""

    browser: Visitor
    key: str
    project_id: int

    def api(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        headers = {"X-API-Key": self.key}
        path = f"/public-api/projects/{self.project_id}{path}"
        answer = self.browser.app.test_client().open(path, method=method, headers=headers, **options)
        assert answer.status_code < 300, answer.text
        assert answer.json is not None
        return answer.json

    def written(self, **payload: Any) -> dict[str, Any]:
        """A new post, as the API returns it."""
        job_id = self.api("POST", "/blog-posts/generate", json=payload)["job"]["id"]
        with self.browser.app.app_context():
            run_job(job_id)
        post_id = self.api("GET", "/blog-posts")["posts"][0]["id"]
        return {**self.api("GET", f"/blog-posts/{post_id}")["post"], "job_id": job_id}


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def alice(app: Flask, site: SiteServer) -> Customer:
    """Alice, whose project is on the hostile site; its pages are synced and read."""
    groups = [BRIEF[place : place + A_PAGE] for place in range(0, len(BRIEF), A_PAGE)]
    bodies = ["".join(everywhere(text, number) for text in group) for number, group in enumerate(groups, 1)]
    bodies.append("".join(MARKUP.values()))
    bodies.append(FORM)
    urls = [
        serve(
            site, f"/{number}",
            f"<!doctype html><html lang=en><title>Bees {number} &lt;script&gt;alert(1)&lt;/script&gt;</title>"
            f"<body><main>{SOUND.format(number)}{body}</main></body></html>",
        )
        for number, body in enumerate(bodies, 1)
    ]  # fmt: skip
    site.serve("/sitemap.xml", urlset(urls), headers={"Content-Type": "application/xml"})
    browser = visitor_with_account(app, "alice@example.com")
    with app.app_context():
        project = project_at(site.url, f"{site.url}/sitemap.xml")
        key = create_key(get_account(project.account_id), "tests")[1]
        customer = Customer(browser, key, project.id)
        assert sync_jobs.ran(customer.project_id).status == "succeeded"
        while read(customer.project_id, 50).read:
            pass
        db.session.remove()
    return customer


def acting(page: str, home: str) -> list[str]:
    """What acts in a page of the dashboard without being ours."""
    soup = BeautifulSoup(page, "lxml")
    scripts = soup.find_all("script")
    found = [str(each) for each in scripts if not str(each.get("src")).startswith("/assets/")]
    found += [
        str(each) for each in soup.find_all(["iframe", "object", "embed", "base", "math", "x", "video"])
    ]
    for tag in soup.find_all(True):
        found += [f"{tag.name} {name}" for name in tag.attrs if name.startswith("on") or name == "srcdoc"]
        addresses = [str(tag[name]) for name in ("href", "src", "action", "formaction") if tag.get(name)]
        found += [each for each in addresses if not each.startswith(("/", "#", "?", home, "data:,"))]
    return found


def test_no_script_of_a_hostile_site_runs_anywhere(alice: Customer, app: Flask, site: SiteServer) -> None:
    posts = [
        alice.written(topic="beehive", target_words=3000),
        alice.written(topic="asking for a beehive", target_words=3000),
    ]
    receiver = Receiver(site)
    with app.app_context():
        project = db.session.get_one(Project, alice.project_id)
        account_id, target_id = project.account_id, receiver.add_to(project).id
    assert posts[0]["draft_kind"] == "extractive"
    assert "&#91;contact-form-7" in posts[1]["content_html"]

    for post in posts:
        answer = json.dumps(post)
        assert "EVIL" not in answer
        assert "[" not in post["content_html"]
        links = [each for each in active(post["content_html"]) if not each.startswith(site.url)]
        assert links == []
        assert [each for each in active(lax(post["content"])) if not each.startswith(site.url)] == []
        assert "</script" not in json.dumps(post["json_ld"]).lower()
        assert [text for text in strings(post["json_ld"]) if "<" in text and active(text)] == []

        place = f"/projects/{alice.project_id}"
        for path in (
            f"{place}/posts/{post['id']}", f"{place}/posts/{post['id']}/edit",
            f"{place}/posts/{post['id']}/publish", f"{place}/posts", f"{place}/pages", place,
            f"/executions/{post['job_id']}",
        ):  # fmt: skip
            answer = alice.browser.get(path)
            assert answer.status_code == 200, path
            assert acting(answer.text, site.url) == [], path
            assert "EVIL" not in answer.text, path

        order = {"target": target_id, "override_quality_gate": True, "override_reason": "A test."}
        with working(app, account_id):
            alice.api("POST", f"/blog-posts/{post['id']}/publish", json=order)
    sent = list(receiver.posts.values())
    assert [each["content_html"] for each in sent] == [post["content_html"] for post in posts]
    assert "EVIL" not in json.dumps(sent)
