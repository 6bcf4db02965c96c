"""Search performance by the API: files are imported, and their figures and suggestions read."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.api.conftest import Customer, code, member
from tests.support.search_exports import search_export

QUERIES = [
    ("espresso grinder", 40, 900, "8.1"),
    ("milk jug", 2, 300, "31.5"),
    ("coffee, filtered", 9, 20, "3.2"),
]
PAGES = [("https://alice.example.com/grinders", 44, 950, "8"), ("https://other.example/", 1, 2, "9")]
DAYS = ["2026-03-01", "2026-05-31"]


@pytest.fixture
def project_id(alice: Customer) -> int:
    return alice.project()


def imports(project_id: int) -> str:
    return f"/projects/{project_id}/search-imports"


def sent(
    customer: Customer,
    project_id: int,
    data: bytes | None = None,
    media: str = "application/zip",
    **query: str,
) -> TestResponse:
    body = search_export(QUERIES, PAGES, DAYS) if data is None else data
    return customer.send(
        "POST",
        imports(project_id),
        data=body,
        content_type=media,
        query_string={"file_name": "May.zip", **query},
    )


def imported(customer: Customer, project_id: int, **query: str) -> dict[str, Any]:
    answer = sent(customer, project_id, **query)
    assert answer.status_code == 201, answer.text
    return dict(member(answer, "search_import"))


def test_a_file_is_imported_and_importing_it_again_changes_nothing(alice: Customer, project_id: int) -> None:
    answer = sent(alice, project_id)
    assert answer.status_code == 201
    found = member(answer, "search_import")
    assert answer.location == f"/public-api{imports(project_id)}/{found['id']}"
    assert (found["first_day"], found["last_day"], found["source"]) == (*DAYS, "May.zip")
    assert (found["queries"], found["pages"], found["clicks"], found["impressions"]) == (3, 1, 44, 950)
    queries, pages = member(answer, "checked")
    assert (queries["kind"], queries["new"], queries["replaced"], queries["left_out"]) == ("queries", 3, 0, 0)
    assert (pages["new"], pages["left_out"]) == (1, 1)
    assert pages["problems"] == [{"row": 2, "text": "https://other.example/", "reason": "of another site"}]
    again = sent(alice, project_id)
    assert [part["replaced"] for part in member(again, "checked")] == [3, 1]
    assert member(again, "search_import") == found
    assert alice.get(f"{imports(project_id)}/{found['id']}").json == {
        "status": "success",
        "search_import": found,
    }


def test_a_dry_run_stores_nothing(alice: Customer, project_id: int) -> None:
    answer = sent(alice, project_id, dry_run="true")
    assert (answer.status_code, member(answer, "dry_run")) == (200, True)
    assert member(answer, "search_import") is None
    assert [part["new"] for part in member(answer, "checked")] == [3, 1]
    assert member(alice.get(imports(project_id)), "search_imports") == []


def test_the_periods_are_listed_latest_first_in_pages_and_deleted(alice: Customer, project_id: int) -> None:
    spring = imported(alice, project_id)
    winter = imported(alice, project_id, first_day="2025-12-01", last_day="2026-02-28")
    listed = alice.get(f"{imports(project_id)}?page_size=1")
    assert member(listed, "search_imports") == [spring]
    assert member(listed, "pagination") == {"page": 1, "page_size": 1, "total": 2}
    assert 'rel="next"' in listed.headers["Link"]
    assert alice.send("DELETE", f"{imports(project_id)}/{winter['id']}").status_code == 200
    gone = alice.get(f"{imports(project_id)}/{winter['id']}")
    assert code(gone) == (404, "SEARCH_IMPORT_NOT_FOUND")
    assert member(alice.get(imports(project_id)), "search_imports") == [spring]


def test_queries_and_pages_are_listed_with_their_figures(alice: Customer, project_id: int) -> None:
    path = f"{imports(project_id)}/{imported(alice, project_id)['id']}"
    rows = member(alice.get(f"{path}/queries?order=position&page_size=2"), "queries")
    assert [row["query"] for row in rows] == ["coffee, filtered", "espresso grinder"]
    assert {**rows[1], "id": 0} == {
        "id": 0, "query": "espresso grinder", "clicks": 40, "impressions": 900, "position": 8.1,
    }  # fmt: skip
    found = alice.get(f"{path}/queries?q=JUG")
    assert [row["query"] for row in member(found, "queries")] == ["milk jug"]
    assert member(found, "pagination")["total"] == 1
    [page] = member(alice.get(f"{path}/pages"), "pages")
    assert (page["url"], page["clicks"]) == ("https://alice.example.com/grinders", 44)


def test_opportunities_are_listed_by_kind_and_in_pages(alice: Customer, project_id: int) -> None:
    path = f"/projects/{project_id}/search-opportunities"
    assert member(alice.get(path), "opportunities") == []
    imported(alice, project_id)
    listed = alice.get(f"{path}?page_size=1")
    [first] = member(listed, "opportunities")
    assert (first["why"], first["query"], first["blog_post_id"]) == ("near_top", "espresso grinder", None)
    assert member(listed, "pagination")["total"] == 3
    missing = member(alice.get(f"{path}?why=without_post"), "opportunities")
    assert [each["query"] for each in missing] == ["milk jug", "coffee, filtered"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"first_day": "2026-05-02", "last_day": "2026-05-01"}, "/last_day"),
        ({"last_day": "2999-01-01"}, "/last_day"),
        ({"first_day": "May"}, "/first_day"),
        ({"dry_run": "yes"}, "/dry_run"),
    ],
)
def test_a_period_that_cannot_be_is_refused(
    alice: Customer, project_id: int, query: dict[str, str], field: str
) -> None:
    answer = sent(alice, project_id, **query)
    assert code(answer) == (422, "INVALID_REQUEST")
    assert [(each["location"], each["field"]) for each in member(answer, "errors")] == [("query", field)]


@pytest.mark.parametrize(
    ("data", "media", "expected"),
    [
        (b"", "text/csv", (422, "INVALID_REQUEST")),
        (b"PK\x03\x04 not a zip", "application/zip", (422, "INVALID_REQUEST")),
        (b"Country,Clicks\nGermany,1\n", "text/csv", (422, "INVALID_REQUEST")),
        (b"Query,Clicks\nespresso,1\n", "multipart/form-data", (415, "UNSUPPORTED_MEDIA_TYPE")),
        (b"x" * 10_000_001, "text/csv", (413, "PAYLOAD_TOO_LARGE")),
    ],
)
def test_what_is_no_export_is_refused(
    alice: Customer, project_id: int, data: bytes, media: str, expected: tuple[int, str]
) -> None:
    assert code(sent(alice, project_id, data, media)) == expected
    assert member(alice.get(imports(project_id)), "search_imports") == []
