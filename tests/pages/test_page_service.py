"""Pages added by hand, and lists of pages."""

from typing import Any

import pytest
from flask import Flask

from app.accounts.service import get_account, sign_up
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.queue import PAGES, redis_client
from app.infra.urls import url_key
from app.pages import service
from app.pages.extraction import extract
from app.pages.extraction.blocks import Extracted
from app.pages.model import Page, PageContent
from app.pages.service import PageFilter
from app.projects.model import Project
from app.projects.service import create_project
from tests.support.sites import page_counts, recount
from tests.support.together import together

pytestmark = pytest.mark.usefixtures("db_app")

URL = "https://example.com/shoes"
EVERYTHING = PageFilter()


@pytest.fixture
def project(db_app: Flask) -> Project:
    alice = sign_up("alice@example.com", "correct horse battery")
    return create_project(alice, {"url": "https://www.example.com/shop"})


@pytest.fixture
def bobs(db_app: Flask) -> Project:
    bob = sign_up("bob@example.com", "correct horse battery")
    return create_project(bob, {"url": "https://example.com/"})


def add(project: Project, url: str = URL, **fields: Any) -> Page:
    return service.add_page(project, {"url": url, **fields})[0]


def refusal(project: Project, **fields: Any) -> ServiceFailure:
    with pytest.raises(ServiceFailure) as caught:
        service.add_page(project, fields)
    return caught.value


def enqueued() -> int:
    return int(redis_client().llen(f"rq:queue:{PAGES}"))


def test_a_page_added_by_hand_is_due_and_its_reading_is_enqueued(project: Project) -> None:
    page, created, _ = service.add_page(
        project, {"url": " HTTPS://Example.com/shoes#top", "always_use": True}
    )
    assert created
    assert (page.url, page.source, page.in_sitemap, page.always_use) == (URL, "MANUAL", False, True)
    assert page.read_due_at is not None
    assert page.read_due_at <= utc_now()
    assert enqueued() == 1


def test_a_page_supplied_with_its_content_is_never_fetched(project: Project) -> None:
    page = add(project, content="# Shoes\n\nGood *shoes*.\n\n## Care\n\n- brush\n- wax", description=" All. ")
    assert (page.title, page.description, page.word_count) == ("Shoes", "All.", 6)
    assert (page.read_due_at, page.fetched_at) == (None, None)
    assert enqueued() == 0
    stored = db.session.get_one(PageContent, page.id)
    assert [(block["kind"], block["text"], list(block["heading_path"])) for block in stored.blocks] == [
        ("heading", "Shoes", []),
        ("p", "Good shoes.", ["Shoes"]),
        ("heading", "Care", ["Shoes"]),
        ("li", "brush", ["Shoes", "Care"]),
        ("li", "wax", ["Shoes", "Care"]),
    ]


def test_long_content_is_read_outside_any_transaction(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_transaction: list[bool] = []

    real = extract.extract

    def watched(*given: Any) -> Extracted:
        in_transaction.append(db.session().in_transaction())
        return real(*given)

    monkeypatch.setattr(extract, "extract", watched)
    add(project, content="Text.")
    assert in_transaction == [False]


def test_plain_text_is_content_too_and_markup_in_it_is_text(project: Project) -> None:
    page = add(project, title="Mine", content="One.\n\nTwo <script>alert(1)</script> three.")
    assert page.title == "Mine"
    stored = db.session.get_one(PageContent, page.id)
    assert [block["text"] for block in stored.blocks] == ["One.", "Two <script>alert(1)</script> three."]


@pytest.mark.thorough
@pytest.mark.parametrize("database_kind", ["sqlite"])
@pytest.mark.parametrize(
    "content",
    ["word " * 90_000, "word word\n\n" * 25_000, "é" * 100_001, "|a|b|\n|-|-|\n" + "|a|b|\n" * 41_000],
)
def test_more_text_than_a_page_keeps_is_refused_and_nothing_is_stored(project: Project, content: str) -> None:
    (error,) = refusal(project, url=URL, content=content).errors
    assert error["field"] == "/content"
    assert "at most 200,000 bytes" in error["message"]
    db.session.rollback()
    assert service.list_pages(project, PageFilter(), 1, 1)[1] == 0


@pytest.mark.parametrize("content", ["---", "![](https://example.com/shoes.png)", "..."])
def test_a_content_without_words_is_refused(project: Project, content: str) -> None:
    (error,) = refusal(project, url=URL, content=content).errors
    assert (error["field"], error["message"]) == ("/content", "This has no words.")


@pytest.mark.thorough
def test_as_much_text_as_a_page_keeps_is_kept_whole(project: Project) -> None:
    assert add(project, content="**word** " * 40_000).word_count == 40_000


def test_a_page_that_is_there_stays_as_it_is(project: Project) -> None:
    first = add(project, title="First", content="Text.")
    again, created, _ = service.add_page(project, {"url": f"{URL}#x", "title": "Second", "content": "Other."})
    assert (again, created, again.title, again.is_stale) == (first, False, "First", False)
    assert db.session.get_one(PageContent, first.id).blocks[0]["text"] == "Text."


def test_always_use_is_set_on_a_page_that_is_there_when_it_is_given(project: Project) -> None:
    page = add(project)
    assert service.add_page(project, {"url": URL, "always_use": True}) == (page, False, False)
    db.session.expire_all()
    assert page.always_use
    assert add(project).always_use
    assert not add(project, always_use=False).always_use


def test_a_stale_page_added_by_hand_turns_fresh_and_is_read_again(project: Project) -> None:
    page = Page(
        project_id=project.id, url=URL, url_key=url_key(URL), source="SITEMAP", is_stale=True,
        stale_since=utc_now(), fetched_at=utc_now(),
    )  # fmt: skip
    db.session.add(page)
    recount(project.id)
    again, created, _ = service.add_page(project, {"url": URL})
    assert (again, created, again.source) == (page, False, "SITEMAP")
    assert (again.is_stale, again.stale_since, again.read_due_at is not None) == (False, None, True)
    assert page_counts(project.id) == (1, 0)


@pytest.mark.parametrize(
    "url", ["https://example.com/", "https://blog.example.com/a", "http://example.com/?a=b"]
)
def test_any_host_of_the_projects_domain_is_its_site(project: Project, url: str) -> None:
    assert add(project, url).url == url


@pytest.mark.parametrize(
    "url",
    ["https://example.org/", "https://notexample.com/", "https://example.com.evil.org/", "http://127.0.0.1/",
     "ftp://example.com/", "https://example.com:8443/", "https://u:p@example.com/", "shoes"],
)  # fmt: skip
def test_a_url_that_is_foreign_or_may_not_be_called_is_refused(project: Project, url: str) -> None:
    assert refusal(project, url=url).failure.code == "URL_NOT_ALLOWED"


class TestAddressAsHost:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {"FETCH_ALLOW": "127.0.0.1:8080,127.0.0.1:8081"}

    def test_a_site_at_an_ip_address_is_that_host_and_port_alone(self, project: Project) -> None:
        local = create_project(get_account(project.account_id), {"url": "http://127.0.0.1:8080"})
        assert add(local, "http://127.0.0.1:8080/a").url == "http://127.0.0.1:8080/a"
        assert refusal(local, url="http://127.0.0.1:8081/a").failure.code == "URL_NOT_ALLOWED"
        assert refusal(project, url="http://127.0.0.1:8080/a").failure.code == "URL_NOT_ALLOWED"


@pytest.mark.parametrize(
    ("name", "value"),
    [("url", None), ("url", ""), ("always_use", "yes"), ("always_use", None), ("title", "x" * 501),
     ("description", "x" * 5001), ("content", "x" * 500_001), ("content", "a\0"), ("source", "SITEMAP")],
)  # fmt: skip
def test_a_wrong_member_is_refused_by_its_name(project: Project, name: str, value: Any) -> None:
    refused = refusal(project, **{"url": URL, name: value})
    assert refused.failure.code == "INVALID_REQUEST"
    assert [error["field"] for error in refused.errors] == [f"/{name}"]


def test_the_same_page_added_by_eight_at_once_is_one_row(db_app: Flask, project: Project) -> None:
    project_id = project.id

    def add_it() -> tuple[int, bool]:
        added = service.add_page(db.session.get_one(Project, project_id), {"url": URL, "content": "Text."})
        return added.page.id, added.created

    answers = together(db_app, add_it, 8)
    assert len({page_id for page_id, _created in answers}) == 1
    assert [created for _id, created in answers].count(True) == 1
    assert page_counts(project_id) == (1, 0)


def test_a_page_of_another_project_is_not_found(project: Project, bobs: Project) -> None:
    page = add(project)
    assert service.get_page(project, page.id) is page
    for page_id in (page.id, 999_999):
        with pytest.raises(ServiceFailure, match="PAGE_NOT_FOUND"):
            service.get_page(bobs, page_id)


def test_pages_are_listed_newest_first(project: Project, bobs: Project) -> None:
    made = [add(project, f"https://example.com/{number}") for number in range(5)]
    add(bobs)
    made[0].created_at = made[1].created_at
    db.session.commit()
    assert service.list_pages(project, EVERYTHING, 1, 3) == (made[:1:-1], 5)
    assert service.list_pages(project, EVERYTHING, 2, 3) == ([made[1], made[0]], 5)
    assert service.list_pages(project, EVERYTHING, 3, 3) == ([], 5)


def test_a_list_is_narrowed_by_staleness_source_and_words(project: Project) -> None:
    shoes, socks = (
        add(project, title="Running 100%"),
        add(project, "https://example.com/Socks_1", title="Warm"),
    )
    socks.is_stale, socks.source = True, "SITEMAP"
    recount(project.id)

    def found(**members: Any) -> list[Page]:
        return list(service.list_pages(project, PageFilter(**members), 1, 20)[0])

    assert found(stale=True) == found(source="SITEMAP") == found(q=" socks ") == found(q="WARM") == [socks]
    assert found(stale=False) == found(source="MANUAL") == found(q="running") == found(q="0%") == [shoes]
    assert found(q="s_1") == [socks]
    assert found(q="k_s") == found(stale=True, source="MANUAL") == []
    assert found(q=" ") == [socks, shoes]


@pytest.mark.parametrize(
    "q",
    [
        "über", "ÜBER", "ämter", "Ämter", "/über-uns", "https://example.com/über-uns", "%C3%BCber", "%c3%bc",
        "école", "\N{LATIN SMALL LETTER E}\N{COMBINING ACUTE ACCENT}COLE", "Ö",
    ],
)  # fmt: skip
def test_a_page_is_found_by_letters_beyond_ascii_in_any_case(project: Project, q: str) -> None:
    page = add(project, "https://example.com/über-uns/Ökologie", title="Über Ämter, École")
    add(project, "https://example.com/uber-uns/okologie", title="Uber Amter, Ecole")
    assert service.list_pages(project, PageFilter(q=q), 1, 20) == ([page], 1)
    assert service.list_pages(project, PageFilter(q=f"{q}.*"), 1, 20) == ([], 0)


def test_pages_are_counted_for_many_projects_at_once(project: Project, bobs: Project) -> None:
    add(project), add(project, "https://example.com/2")
    add(project, "https://example.com/3").is_stale = True
    recount(project.id)
    assert (page_counts(project.id), page_counts(bobs.id)) == ((2, 1), (0, 0))


def test_a_page_is_preferred_and_not_any_more(project: Project) -> None:
    page = add(project)
    service.set_always_use(page, True)
    db.session.expire_all()
    assert page.always_use
