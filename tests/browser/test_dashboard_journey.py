"""A marketer's day in a real browser against real web, worker and scheduler processes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.processes import RunService, Service
from tests.support.servers import SiteServer
from tests.support.waiting import eventually

pytestmark = pytest.mark.browser

SECTIONS = {
    "Why use": ("search intent", "page speed"),
    "How to start with": ("keyword research", "editorial plans"),
    "What to avoid in": ("thin content", "duplicate pages"),
}
SUBJECTS = ("keyword clustering", "content briefs", "internal links")
PASSWORD = "a long enough password"


def article(subject: str) -> str:
    """A page with enough about its subject for a post."""
    name = subject.capitalize()
    sections = "".join(
        f"<h2>{heading} {subject}</h2>" + "".join(f"<p>{prose(subject, matter)}</p>" for matter in matters)
        for heading, matters in SECTIONS.items()
    )
    return (
        f"<!doctype html><html lang='en'><head><title>{name}</title>"
        f"<meta name='description' content='All about {subject}.'></head>"
        f"<body><main><h1>{name}</h1>{sections}</main></body></html>"
    )


def prose(subject: str, matter: str) -> str:
    """A paragraph about a subject."""
    return (
        f"{subject.capitalize()} help a marketing team plan its work on {matter} with less effort. "
        f"A good plan for {subject} begins with the questions that readers ask about {matter}. "
        f"Teams that review {subject} every month find gaps in {matter} before their readers do. "
        f"Write down who owns {subject} and how {matter} is measured."
    )


def serve_pages(site: SiteServer, *subjects: str) -> None:
    """Have a page about each subject, and a sitemap that lists them."""
    html = {"Content-Type": "text/html; charset=utf-8"}
    pages = [site.serve(f"/{s.replace(' ', '-')}", article(s), headers=html) for s in subjects]
    urls = "".join(f"<url><loc>{page}</loc></url>" for page in pages)
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    site.serve("/sitemap.xml", f'<urlset xmlns="{namespace}">{urls}</urlset>')


@pytest.fixture
def shop(site: SiteServer) -> SiteServer:
    """A small website with a sitemap and a place that takes posts."""
    serve_pages(site, *SUBJECTS)
    answer = json.dumps({"id": "p1", "url": f"{site.url}/blog/p1"})
    site.serve("/hook", answer, headers={"Content-Type": "application/json"})
    return site


@pytest.fixture
def service(run_service: RunService, shop: SiteServer) -> Service:
    return run_service("web", "worker", "scheduler", FETCH_ALLOW=shop.address)


@pytest.fixture
def complaints(page: Page) -> Iterator[list[str]]:
    """What the browser complained about: errors in the console, refused contents, other hosts asked."""
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    yield heard
    assert heard == []


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    """A page of a browser without JavaScript, as wide as a phone."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


def sign_up(page: Page, service: Service, email: str) -> None:
    page.goto(f"{service.url}/sign-up")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name="Add your site")).to_be_visible()


def add_project(page: Page, shop: SiteServer) -> str:
    """Fill the form of a new project; returns the address of its overview."""
    page.get_by_label("Website address").fill(shop.url)
    page.locator("summary", has_text="Name and sitemap").click()
    page.get_by_label("Name").fill("Corner shop")
    page.get_by_label("Sitemap").fill(f"{shop.url}/sitemap.xml")
    page.get_by_role("button", name="Read my site").click()
    page.get_by_role("link", name="Skip to the overview").click()
    expect(page.get_by_role("heading", name="Corner shop", level=1)).to_be_visible()
    return page.url


def wait_until_synced_and_read(page: Page, count: int) -> None:
    """Load Pages until all have come, by the sync that a new project has by itself, and were read."""

    def read() -> bool:
        page.goto(page.url)
        synced = page.locator("#sync", has_text=f"{count} URLs found").count() == 1
        return synced and page.get_by_text("not read yet").count() == 0

    eventually(read, "every page is read", pause=0.5)


@pytest.mark.smoke
def test_from_signing_up_to_a_published_post(page: Page, service: Service, shop: SiteServer, complaints):
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(re.sub(r"^(https?://[^/]+).*", r"\1", request.url)))
    sign_up(page, service, "alice@example.com")
    project = add_project(page, shop)

    page.goto(f"{project}/pages")
    wait_until_synced_and_read(page, 3)
    serve_pages(shop, *SUBJECTS, "link audits")
    page.get_by_role("button", name="Sync now").click()
    expect(page.locator("#sync")).to_contain_text("4 URLs found")
    page.get_by_role("link", name="See what changed").click()
    expect(page.get_by_role("link", name="/link-audits")).to_be_visible()
    page.goto(f"{project}/pages")
    wait_until_synced_and_read(page, 4)

    page.goto(f"{project}/keywords")
    page.get_by_label("Phrases").fill("content briefs\nInternal  links")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("2 added.")).to_be_visible()

    page.get_by_role("link", name="Plan a post about content briefs").click()
    expect(page.get_by_text("You have a page about this:")).to_be_visible()
    page.get_by_label("Write anyway").check()
    page.get_by_role("button", name="Write draft").click()
    expect(page.get_by_role("article")).to_contain_text("content briefs", ignore_case=True)

    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_label("Title", exact=True).fill("How we write content briefs")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="How we write content briefs", level=1)).to_be_visible()
    post = page.url

    page.goto(f"{project}/settings/targets")
    page.get_by_role("link", name="Something of your own").click()
    page.get_by_label("Webhook address").fill(f"{shop.url}/hook")
    page.get_by_role("button", name="Connect").click()
    expect(page.locator("#secret")).not_to_be_empty()

    page.goto(f"{post}/publish")
    page.get_by_role("button", name="Publish now").click()
    expect(page.locator("#live .status.good").first).to_have_text("✓live")
    assert len(shop.requests_for("/hook")) >= 1
    page.goto(post)
    expect(page.get_by_role("link", name=f"{shop.url}/blog/p1")).to_be_visible()

    page.goto(f"{service.url}/executions?status=succeeded")
    for title in ("Reading your sitemap", "Writing a post", "Publishing"):
        expect(page.get_by_role("rowheader", name=title).first).to_be_visible()

    page.goto(f"{service.url}/settings/api-keys")
    page.get_by_label("Name").fill("ci")
    page.get_by_role("button", name="Create key").click()
    key = page.locator("#secret").inner_text()
    answer = page.request.get(f"{service.url}/public-api/account", headers={"X-API-Key": key})
    assert answer.json()["account"]["email"] == "alice@example.com"
    assert hosts == {service.url}


def test_a_sitemap_that_breaks_costs_no_page_and_recovers(page: Page, service: Service, shop: SiteServer):
    sign_up(page, service, "bob@example.com")
    shop.serve("/sitemap.xml", "gone", status=503)
    project = add_project(page, shop)
    page.goto(f"{project}/pages")
    page.get_by_role("button", name="Sync now").click()
    expect(page.locator("#sync")).to_contain_text("No page was marked stale", timeout=60_000)
    page.locator("#sync").get_by_role("link", name="Details").click()
    expect(page.get_by_text("Your pages stay as they were.")).to_be_visible()
    serve_pages(shop, *SUBJECTS)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("retry of")).to_be_visible()
    expect(page.locator("#live[data-final=yes][data-status=succeeded]")).to_be_visible()
    page.goto(f"{project}/pages")
    wait_until_synced_and_read(page, 3)
    shop.serve("/sitemap.xml", "<urlset><url><loc>", headers={"Content-Type": "application/xml"})
    page.get_by_role("button", name="Sync now").click()
    expect(page.locator("#sync")).to_contain_text("No page was marked stale", timeout=60_000)
    expect(page.get_by_text("stale", exact=True)).to_have_count(0)
    serve_pages(shop, *SUBJECTS[1:])
    page.get_by_role("button", name="Sync now").click()
    expect(page.locator("#sync")).to_contain_text("2 URLs found")
    page.goto(f"{project}/pages?state=stale")
    expect(page.get_by_role("row", name="/keyword-clustering")).to_have_count(1)


def beyond_the_edge(page: Page) -> list[int]:
    """How far the page and each of its tables reach beyond what is shown of them, in pixels."""
    hidden = "parts => parts.map(part => part.scrollWidth - part.clientWidth)"
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return [pixels for pixels in page.locator("html, .scroll").evaluate_all(hidden) if pixels > 0]


def test_everything_works_on_a_phone_without_javascript(plain_page: Page, service: Service, shop: SiteServer):
    page = plain_page
    sign_up(page, service, "charlie@example.com")
    project = add_project(page, shop)
    page.goto(f"{project}/posts/generate")
    page.get_by_label("Topic").fill("Content briefs")
    page.get_by_role("button", name="Write draft").click()
    # The browser refuses to load a page anew that it is still swapping in.
    expect(page.locator("#live")).to_be_visible()

    def ended() -> bool:
        page.goto(page.url)
        return page.locator("#live[data-final=yes]").count() == 1

    eventually(ended, "the job has ended", pause=0.5)
    job = page.url
    page.goto(f"{project}/keywords")
    page.get_by_label("Phrases").fill("content briefs")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("1 added.")).to_be_visible()

    def listed() -> bool:
        page.goto(f"{project}/pages")
        return page.get_by_text("/content-briefs").count() > 0

    eventually(listed, "the sitemap was read", pause=0.5)
    for path in (project, f"{project}/pages", f"{project}/keywords"):
        page.goto(path)
        assert beyond_the_edge(page) == [], path
    page.goto(job)
    page.get_by_role("link", name="Roll back…").click()
    page.get_by_role("button", name="Delete the draft").click()
    expect(page.get_by_text("Rolled back: the draft is deleted.")).to_be_visible()
    page.locator("summary", has_text="Menu").click()
    page.get_by_role("button", name="Sign out").locator("visible=true").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
