"""Posts of one project, from the claim of each job to its saved post.

``python -m bench.generation_runs ID SIZE POSTS``; one post before all that, as a worker has made one before.
Prints the costs of each, the database included, and what the posts were.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

from sqlalchemy import select, text

from app.content.model import BlogPost
from app.executions.queries import reload
from app.executions.service import Submission, submit
from app.factory import create_app
from app.infra.db import db, release
from app.operations.registry import operation_named
from app.projects.model import Project
from bench.documentation_pages import subject_of
from bench.measuring import Spending
from tests.support.working import run_job


def post_about(project_id: int, payload: dict[str, Any]) -> dict[str, Any]:
    """Submit a job and run it in this process; returns what the run cost."""
    job_id = _submitted(project_id, payload)
    backend = _backend()
    release()
    with Spending(*backend) as spent:
        run_job(job_id)
    job = reload(job_id)
    assert job.status == "succeeded", job.failure
    post = db.session.scalars(select(BlogPost).where(BlogPost.job_id == job_id)).one()
    results = {
        "kind": post.draft_kind, "words": post.word_count, "sources": len(post.sources),
        "text": hashlib.sha256(post.content.encode()).hexdigest()[:12],
    }  # fmt: skip
    db.session.delete(post)  # each post is the project's first
    db.session.commit()
    return {**spent.as_dict(), **results}


def _submitted(project_id: int, payload: dict[str, Any]) -> int:
    project = db.session.get_one(Project, project_id)
    operation = operation_named("GENERATE_BLOG_POST")
    job = submit(Submission(project, operation, payload, scope=f"generate:{project_id}")).job
    return job.id


def _backend() -> list[int]:
    """The process of PostgreSQL that works for us."""
    if db.engine.dialect.name != "postgresql":
        return []
    found = db.session.scalar(text("SELECT pg_backend_pid()"))
    db.session.commit()
    return [int(found or 0)]


def main() -> None:
    project_id, size, posts = map(int, sys.argv[1:])
    with create_app().app_context(), Spending():
        post_about(project_id, {"topic": subject_of(0)})
        asked = [{"topic": subject_of(number * size // posts)} for number in range(posts)]
        results = [post_about(project_id, payload) for payload in asked]
        print(json.dumps({"asked": results, "free": [post_about(project_id, {}) for _ in range(3)]}))


if __name__ == "__main__":
    main()
