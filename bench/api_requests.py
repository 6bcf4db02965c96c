"""CPU of API requests in this process, without a server: ``python -m bench.api_requests ROUNDS``.

Each round makes the same number of requests to ours and to a bare Flask view, which reads one row by its key
and answers with the bytes that ours answered. Prints the median milliseconds of a request, by its name.
"""

from __future__ import annotations

import gc
import io
import json
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any, Final

from flask import Flask, Response
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import insert, select
from werkzeug.test import EnvironBuilder

from app.accounts.keys import create_key
from app.accounts.model import Account
from app.executions.service import Submission, submit
from app.factory import create_app
from app.infra.db import db, release
from app.infra.urls import url_key
from app.operations.registry import operation_named
from app.pages.model import Page
from app.projects.model import Project
from bench.documentation_pages import SITE
from tests.support.plans import listening
from tests.support.sites import project_at, recount
from tests.support.working import run_job

AT_ONCE: Final = 200
PAGES: Final = 1000

Ask = Callable[[], bytes]


def main() -> None:
    """Print what each request costs as JSON."""
    rounds = int(sys.argv[1])
    app = create_app()
    with app.app_context():
        key, paths = _filled()
        release()
    print(json.dumps({name: _compared(app, path, key, rounds) for name, path in paths.items()}))


def _compared(app: Flask, path: str, key: str, rounds: int) -> dict[str, Any]:
    ours = _asking(app, path, key)
    body = ours()
    with app.app_context(), listening(db.engine) as executed:
        ours()
    bare = _asking(_bare(app, body), "/", key)
    for ask in (ours, bare):
        _milliseconds(ask)
    pairs = [(_milliseconds(ours), _milliseconds(bare)) for _ in range(rounds)]
    return {
        "ours": median(pair[0] for pair in pairs),
        "bare": median(pair[1] for pair in pairs),
        "statements": len(executed),
        "bytes": len(body),
    }


def _filled() -> tuple[str, dict[str, str]]:
    """Make a project with pages and jobs; returns a key of its account, and addresses by name."""
    project_id = project_at(SITE).id
    addresses = [f"{SITE}{at}" for at in range(PAGES)]
    rows = [
        {"project_id": project_id, "url": url, "url_key": url_key(url), "source": "SITEMAP", "title": url}
        for url in addresses
    ]
    db.session.execute(insert(Page), rows)
    recount(project_id)
    jobs = [_generated(project_id, f"topic {at}") for at in range(20)]
    _, key = create_key(db.session.scalars(select(Account)).one(), "bench")
    base = f"/public-api/projects/{project_id}"
    return key, {
        "a project": base,
        "a job": f"/public-api/executions/{jobs[0]}",
        "20 pages": f"{base}/pages",
        "20 jobs": "/public-api/executions",
    }


def _generated(project_id: int, topic: str) -> int:
    project = db.session.get_one(Project, project_id)
    operation = operation_named("GENERATE_BLOG_POST")
    job = submit(Submission(project, operation, {"topic": topic}, f"create:{project_id}")).job.id
    run_job(job)
    return job


def _bare(app: Flask, body: bytes) -> Flask:
    """A Flask application with one view: one row by its key, and the bytes of ours."""
    made = Flask("bare")
    made.config["SQLALCHEMY_DATABASE_URI"] = app.config["SQLALCHEMY_DATABASE_URI"]
    made.config["SQLALCHEMY_ENGINE_OPTIONS"] = app.config["SQLALCHEMY_ENGINE_OPTIONS"]
    database = SQLAlchemy(made, model_class=type(db.Model))  # type: ignore[arg-type]

    @made.get("/")
    def _one() -> Response:
        database.session.get(Project, 1)
        return Response(body, mimetype="application/json")

    return made


def _asking(app: Flask, path: str, key: str) -> Ask:
    environ = EnvironBuilder(path=path, headers={"X-API-Key": key}).get_environ()

    def ask() -> bytes:
        answer: list[str] = []
        each = {**environ, "wsgi.input": io.BytesIO(), "wsgi.errors": sys.stderr}
        chunks = app.wsgi_app(each, lambda status, *_: answer.append(status))  # type: ignore[arg-type]
        body = b"".join(chunks)
        getattr(chunks, "close", lambda: None)()
        if answer != ["200 OK"]:
            raise RuntimeError(f"{path}: {answer} {body[:500]!r}")
        return body

    return ask


def _milliseconds(ask: Ask) -> float:
    gc.collect()
    before = time.process_time()
    for _ in range(AT_ONCE):
        ask()
    return (time.process_time() - before) * 1000 / AT_ONCE


if __name__ == "__main__":
    main()
