"""A customer of the service under measurement, made in a database of ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from bench import engine

engine.register()

from app.accounts.keys import create_key  # noqa: E402
from app.accounts.model import Account  # noqa: E402
from app.config import load_settings  # noqa: E402
from app.executions.service import Submission, submit  # noqa: E402
from app.factory import create_app  # noqa: E402
from app.infra.db import db, release  # noqa: E402
from app.projects.model import Project  # noqa: E402


@contextmanager
def inside(env: Mapping[str, str]) -> Iterator[None]:
    """Be inside the application that these settings make."""
    with create_app(load_settings(env)).app_context():
        yield
        release()
        db.engine.dispose()


def sign_up(email: str = "alice@example.com") -> tuple[int, str]:
    """Make a customer with a project; returns the project's id and an API key."""
    account = Account(email=email, name="Alice", password_hash="-")
    db.session.add(account)
    db.session.flush()
    url = "https://alice.example/"
    project = Project(account_id=account.id, name="Alice's garden", url=url)
    db.session.add(project)
    db.session.commit()
    return project.id, create_key(account, "bench")[1]


def queue_jobs(project_id: int, number: int) -> list[int]:
    """Submit empty jobs through the service, as a request would; returns their ids."""
    project = db.session.get_one(Project, project_id)
    submission = Submission(project, engine.DO_NOTHING, {}, scope=f"create:{project_id}")
    ids = [submit(submission).job.id for _ in range(number)]
    release()
    return ids
