"""Any query string gives a page, on both databases."""

from __future__ import annotations

import pytest

from tests.dashboard.conftest import Visitor

HUGE = 10**30


@pytest.mark.parametrize(
    "path",
    [
        "/projects/{id}/pages?q=a%00b",
        "/projects/{id}/pages?q=%FF%ED%A0%80",
        "/projects/{id}/keywords?q=a%00b",
        "/projects/{id}/posts?status=%00",
        f"/projects/{{id}}/posts?page={HUGE}",
        f"/projects/{{id}}/posts/generate?like={HUGE}",
        f"/projects/{{id}}/settings/targets?post={HUGE}",
        "/projects/{id}/settings/targets?post=a%00b",
        f"/executions?project={HUGE}",
        f"/executions?project=-{HUGE}",
    ],
)
def test_no_query_breaks_a_page(alice: Visitor, project_id: int, path: str) -> None:
    assert alice.get(path.format(id=project_id)).status_code == 200
