"""How many statements a request of the API makes."""

from __future__ import annotations

import pytest
from flask import Flask

from app.infra.db import db
from tests.api.conftest import Customer, member
from tests.support.plans import listening


@pytest.mark.parametrize(
    ("path", "own"), [("/projects/{project}", 1), ("/projects/{project}/pages", 1), ("/executions/{job}", 2)]
)
def test_a_request_makes_two_statements_before_its_own(
    app: Flask, alice: Customer, path: str, own: int
) -> None:
    project = alice.project()
    alice.post(f"/projects/{project}/pages", {"url": "https://alice.example.com/a"})
    address = path.format(project=project, job=alice.generated(project)["id"])
    alice.get(address)
    with app.app_context(), listening(db.engine) as heard:
        assert alice.get(address).status_code == 200
    statements = [statement for statement, _ in heard if statement != "BEGIN"]
    assert len(statements) == 2 + own, statements


def test_a_list_of_jobs_makes_four_statements_of_its_own_and_reads_no_artefacts(
    app: Flask, alice: Customer
) -> None:
    for topic in ("Grinders", "Filters"):
        alice.generated(alice.project(f"https://{topic}.example.com/"))
    alice.get("/executions")
    with app.app_context(), listening(db.engine) as heard:
        assert len(member(alice.get("/executions"), "jobs")) == 2
    statements = [statement for statement, _ in heard if statement != "BEGIN"]
    assert len(statements) == 1 + 4, statements
    assert not any("artefacts" in statement for statement in statements)
