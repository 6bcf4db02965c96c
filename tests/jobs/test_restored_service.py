"""A service that goes on from a backup: with a new database and an empty Redis."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from app.accounts.keys import authenticate_key, create_key
from app.accounts.model import Account
from app.accounts.service import get_account
from app.config import load_settings
from app.executions.model import ExecutionJob
from app.factory import create_app
from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import SitemapSync
from app.projects.model import Project
from devtools.local import ROOT
from tests.executions.conftest import Garden, ago, change, job_of
from tests.jobs.conftest import SITEMAP
from tests.support.databases import MakeDatabase
from tests.support.processes import RunService
from tests.support.publishing import alice_project, project_of
from tests.support.servers import Reply, SiteServer
from tests.support.waiting import eventually

pytestmark = [pytest.mark.thorough, pytest.mark.journey]


def flask(env: dict[str, str], *words: str) -> None:
    """Run a command of the service in a process of its own."""
    command = [sys.executable, "-m", "flask", "--app", "wsgi", *words]
    result = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_jobs_syncs_and_keys_go_on_after_a_restore(
    kind: str, run_service: RunService, site: SiteServer, empty_database: MakeDatabase, tmp_path: Path
) -> None:
    service = run_service("web", kind=kind, FETCH_ALLOW=site.address)
    body = SITEMAP.format(url=site.url).encode()
    site.routes["/sitemap.xml"] = Reply(200, {"Content-Type": "text/xml"}, body)
    with create_app(load_settings(service.env)).app_context():
        alice = alice_project()
        garden = Garden(alice.account_id, alice.id)
        waiting, lost = garden.queued(), garden.claimed().job_id
        change(lost, lease_until=ago(1))
        _key, text = create_key(db.session.get_one(Account, garden.account_id), "ci")
        bob = project_of("bob").id
        site_of_bob = db.session.get_one(Project, bob)
        site_of_bob.url, site_of_bob.sitemap_url = f"{site.url}/", f"{site.url}/sitemap.xml"
        site_of_bob.next_sync_at = utc_now() - timedelta(minutes=1)
        db.session.commit()
        db.session.remove()
    flask(service.env, "backup", str(tmp_path / "backup"))
    service.stop()
    service.redis.empty()
    service.env["DATABASE_URL"] = empty_database(kind)
    flask(service.env, "restore", str(tmp_path / "backup"))
    service.start("web", "worker", "scheduler")
    with create_app(load_settings(service.env)).app_context():
        for job_id in (waiting, lost):
            eventually(lambda job_id=job_id: job_of(job_id).status == "succeeded", "the job has run")
        eventually(lambda: _syncs(bob) == ["ok"], "the due sync has run")
        assert get_account(authenticate_key(text).account_id).email == "alice@example.com"
        assert db.session.scalar(select(func.count()).select_from(ExecutionJob)) == 3
        db.session.remove()


def _syncs(project_id: int) -> list[str]:
    db.session.rollback()
    return list(db.session.scalars(select(SitemapSync.state).where(SitemapSync.project_id == project_id)))
