"""The pages that a refresh over HTTP may be written from."""

from __future__ import annotations

import pytest

from tests.api.conftest import Customer, code, member


@pytest.mark.parametrize(
    ("page_ids", "field"),
    [([0], "/payload/page_ids/0"), ([999], "/payload/page_ids"), ([*range(1, 7)], "/payload/page_ids")],
)
def test_a_refresh_from_pages_that_the_project_does_not_have_or_too_many_is_rejected(
    alice: Customer, page_ids: list[int], field: str
) -> None:
    project_id = alice.project()
    made = alice.post(f"/projects/{project_id}/blog-posts/generate", {"topic": "Beehives"})
    post_id = alice.ran(member(made, "job")["id"])["result"]["blog_post_id"]
    body = {"operation": "REFRESH_BLOG_POST", "payload": {"blog_post_id": post_id, "page_ids": page_ids}}
    answer = alice.post(f"/projects/{project_id}/executions", body, key="k")
    assert code(answer) == (422, "INVALID_REQUEST")
    assert [error["field"] for error in member(answer, "errors")] == [field]
