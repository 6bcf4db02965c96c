"""A whole life on a real documentation site: sync, write, cancel, retry, roll back, publish.

The site is BorgBackup's documentation served from its folder; the service is web, worker and scheduler as
real processes, spoken to over its API alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

from app.language.phrases import is_template_line
from app.language.sentences import sentences
from app.language.words import fold
from devtools.documentation import find_documentation
from tests.support.api import Api, command
from tests.support.needs import need
from tests.support.processes import Service
from tests.support.publishing import Receiver
from tests.support.servers import SiteServer
from tests.support.sites import urlset
from tests.support.waiting import eventually

pytestmark = [pytest.mark.documentation, pytest.mark.journey]

GENERATE = "GENERATE_BLOG_POST"


@dataclass(frozen=True)
class Documentation:
    """The served site, the service, and Alice's project on that site."""

    site: SiteServer
    api: Api
    project_id: int
    urls: list[str]

    @property
    def path(self) -> str:
        return f"/projects/{self.project_id}"

    def list_in_sitemap(self, urls: list[str]) -> None:
        self.site.serve("/sitemap.xml", urlset(urls), headers={"Content-Type": "application/xml"})

    def pages(self) -> dict[str, dict[str, Any]]:
        return {page["url"]: page for page in self.api.all(f"{self.path}/pages", "pages")}

    def write(self, payload: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Generate a post; returns the job and the post."""
        job = self.api.succeeded(self.project_id, GENERATE, payload)
        return job, self.post(job["result"]["blog_post_id"])

    def post(self, post_id: int) -> dict[str, Any]:
        found: dict[str, Any] = self.api.get(f"{self.path}/blog-posts/{post_id}")["post"]
        return found

    def texts(self) -> list[str]:
        """The text of each served page, as any reader of HTML sees it."""
        paths = [url.removeprefix(self.site.url) for url in self.urls]
        assert self.site.folder is not None
        files = [self.site.folder / path.lstrip("/") for path in paths]
        return [BeautifulSoup(file.read_bytes(), "lxml").get_text(" ") for file in files]


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def documentation(
    request: pytest.FixtureRequest, make_service: Callable[[str, dict[str, str]], Service]
) -> Iterator[Documentation]:
    """The site added as a project, its pages read."""
    folder = need(find_documentation(), "borgbackup-doc")
    site = SiteServer(folder)
    service = make_service(request.param, {"FETCH_ALLOW": site.address})
    try:
        service.start("web", "worker", "scheduler")
        yield added(site, folder, Api(service))
    finally:
        service.close()
        site.close()


def added(site: SiteServer, folder: Path, api: Api) -> Documentation:
    files = [file.relative_to(folder) for file in sorted(folder.rglob("*.html"))]
    urls = [f"{site.url}/{file}" for file in files if file.parts[0] != "_static"]
    site.serve("/sitemap.xml", urlset(urls))
    fields = {"url": f"{site.url}/", "name": "BorgBackup", "sitemap_url": f"{site.url}/sitemap.xml"}
    answer = api.call("POST", "/projects", fields)
    assert answer.status == 201, answer
    made = Documentation(site, api, answer.body["project"]["id"], urls)
    eventually(
        lambda: sum(page["fetched_at"] is not None for page in made.pages().values()) == len(urls),
        f"all pages are read\n{api.service.logs()[-3000:]}",
        seconds=300,
        pause=0.5,
    )
    return made


def _bare(text: str) -> str:
    return "".join(text.replace(":", "").split())


def unsourced(post: dict[str, Any], texts: list[str]) -> list[str]:
    """The sentences of a post that stand in no page.

    Left aside are spaces, which readers of HTML treat differently, and the colon after a defined term.
    """
    known = "".join(_bare(fold(text)) for text in [*texts, post["title"], *post["keywords"]])
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(post["content"])
    found = []
    for element in BeautifulSoup(html, "lxml").find_all(["h2", "h3", "p", "li", "pre", "td", "th"]):
        text = fold(element.get_text())
        if element.find(["p", "li"]) is None and not is_template_line(text):
            found += [part for part in _parts(element.name, text) if _bare(part) not in known]
    return found


def _parts(name: str, text: str) -> list[str]:
    """The sentences of an element; a question in a heading may follow the heading of its group."""
    is_asked = name in {"h2", "h3"} and text.endswith("?")
    return text.split(": ", 1) if is_asked else sentences(text)


def test_every_page_of_the_sitemap_is_there_with_its_title(documentation: Documentation) -> None:
    pages = documentation.pages()
    assert sorted(pages) == sorted(documentation.urls)
    assert len(pages) > 40
    assert {page["fetch_error"] for page in pages.values()} == {None}
    assert all("Borg" in page["title"] for page in pages.values())
    assert all(page["source"] == "SITEMAP" and not page["is_stale"] for page in pages.values())
    quickstart = pages[f"{documentation.site.url}/quickstart.html"]
    assert quickstart["title"].startswith("Quick Start")
    assert quickstart["word_count"] > 1000
    project = documentation.api.get(documentation.path)["project"]
    assert (project["sitemap"]["status"], project["sitemap"]["fresh_pages"]) == ("ok", len(pages))


def test_a_page_that_leaves_the_sitemap_turns_stale_is_still_listed_and_comes_back(
    documentation: Documentation,
) -> None:
    gone = f"{documentation.site.url}/paperkey.html"
    before = documentation.pages()[gone]
    documentation.list_in_sitemap([url for url in documentation.urls if url != gone])
    result = documentation.api.succeeded(documentation.project_id, "SYNC_SITEMAP")["result"]
    assert (result["stale"], result["new"], result["unchanged"]) == (1, 0, len(documentation.urls) - 1)
    page = documentation.pages()[gone]
    assert (page["id"], page["is_stale"], page["in_sitemap"]) == (before["id"], True, False)
    assert page["stale_since"]
    listed = documentation.api.get(f"{documentation.path}/pages?stale=true")["pages"]
    assert [each["url"] for each in listed] == [gone]
    documentation.list_in_sitemap(documentation.urls)
    result = documentation.api.succeeded(documentation.project_id, "SYNC_SITEMAP", {})["result"]
    assert (result["stale"], result["returned"]) == (0, 1)
    page = documentation.pages()[gone]
    assert (page["id"], page["is_stale"], page["stale_since"]) == (before["id"], False, None)


@pytest.mark.parametrize(
    "payload",
    [
        None,
        {"topic": "Restoring files", "keywords": ["borg extract", "borg mount"]},
        {"topic": "Repository encryption", "keywords": ["borg key"], "target_words": 600},
    ],
    ids=["nothing", "restoring", "encryption"],
)
def test_a_post_says_nothing_that_the_pages_do_not_say(
    documentation: Documentation, payload: dict[str, Any] | None
) -> None:
    job, post = documentation.write(payload)
    assert (post["status"], post["draft_kind"], post["engine"]) == ("draft", "extractive", "extractive")
    assert post["word_count"] > 100
    assert unsourced(post, documentation.texts()) == []
    assert {source["url"] for source in post["sources"]} <= set(documentation.urls)
    assert post["quality"]["decision"] != "block"
    assert post["job_id"] == job["id"]
    assert job["rollback"]["state"] == "available"
    events = [entry["event"] for entry in job["history"]]
    assert (events[0], events[1], events[-1]) == ("JOB_CREATED", "JOB_STARTED", "JOB_SUCCEEDED")


def test_a_canceled_job_stays_canceled_and_its_retry_writes_the_post(documentation: Documentation) -> None:
    api, service = documentation.api, documentation.api.service
    service.stop("worker")
    job_id = api.start(documentation.project_id, GENERATE, {"topic": "Pruning old archives"})
    canceled = api.call("POST", f"/executions/{job_id}/cancel").body["job"]
    assert (canceled["status"], canceled["failure"]["code"]) == ("canceled", "CANCELED")
    again = api.call("POST", f"/executions/{job_id}/cancel")
    assert (again.status, again.body["job"]["status"]) == (200, "canceled")
    retried = api.call("POST", f"/executions/{job_id}/retry", key=f"retry-{job_id}")
    assert (retried.status, retried.body["created"]) == (202, True)
    repeated = api.call("POST", f"/executions/{job_id}/retry", key=f"retry-{job_id}")
    assert (repeated.status, repeated.body["job"]["id"]) == (200, retried.body["job"]["id"])
    service.start("worker")
    job = api.ended(retried.body["job"]["id"])
    assert (job["status"], job["retry_of"]) == ("succeeded", job_id)
    assert documentation.post(job["result"]["blog_post_id"])["status"] == "draft"
    assert api.get(f"/executions/{job_id}")["job"]["status"] == "canceled"


def test_a_rollback_deletes_the_draft_once_and_for_all(documentation: Documentation) -> None:
    job, post = documentation.write({"topic": "Borg check"})
    address = f"/executions/{job['id']}/rollback"
    for _ in range(2):
        answer = documentation.api.call("POST", address)
        rollback = answer.body["job"]["rollback"]
        assert (answer.status, rollback["state"]) == (200, "completed")
        assert rollback["reverted_blog_post_id"] == post["id"]
    missing = documentation.api.call("GET", f"{documentation.path}/blog-posts/{post['id']}")
    assert (missing.status, missing.body["code"]) == (404, "BLOG_POST_NOT_FOUND")


def test_a_published_post_reaches_its_receiver_once_and_cannot_be_rolled_back(
    documentation: Documentation,
) -> None:
    api = documentation.api
    receiver = Receiver(documentation.site)
    name = ("--name", "Blog")
    receiver.secret = command(
        api.service, "target", "add", str(documentation.project_id), "webhook", f"url={receiver.url}", *name
    )
    job, post = documentation.write({"topic": "Borg mount", "keywords": ["borg mount"]})
    for _ in range(2):
        answer = api.call("POST", f"{documentation.path}/blog-posts/{post['id']}/publish", {})
        assert answer.status == 200, answer
        assert answer.body["post"]["status"] == "published"
    (delivered,) = receiver.posts.values()
    assert (delivered["title"], delivered["slug"]) == (post["title"], post["slug"])
    assert len(receiver.deliveries) == 1
    assert answer.body["post"]["published_url"].endswith(post["slug"])
    refused = api.call("POST", f"/executions/{job['id']}/rollback")
    assert refused.status == 409
    failure = refused.body["failure"]
    assert (failure["category"], failure["code"]) == ("policy", "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH")
    assert refused.body["code"] == failure["code"]
    assert failure["next_actions"] == ["manually_unpublish_external_post"]
    assert any("Blog" in hint for hint in failure["remediation_hints"])
    assert documentation.post(post["id"])["status"] == "published"
    assert api.get(f"/executions/{job['id']}")["job"]["rollback"]["state"] == "blocked"
