"""``flask dependencies``, with a package index on the loopback."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from flask import Flask

from app.infra import package_index
from app.infra.clock import utc_now
from app.infra.package_index import Package
from tests.support.servers import SiteServer


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def test_packages_are_listed_with_the_ages_of_their_releases(
    app: Flask, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = [Package("new", "2.0"), Package("old", "1.0"), Package("odd", "3"), Package("unknown", "1")]
    monkeypatch.setattr(package_index, "installed", lambda: shown)
    for package, days in (("new/2.0", [3]), ("old/1.0", [900, 901])):
        files = [{"upload_time_iso_8601": (utc_now() - timedelta(days=each)).isoformat()} for each in days]
        site.serve(f"/pypi/{package}/json", json.dumps({"urls": files}))
    site.serve("/pypi/odd/3/json", "no JSON")
    result = app.test_cli_runner().invoke(args=["dependencies", "--index", f"{site.url}/"])
    assert result.exit_code == 0
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert [(age, name, version) for age, _, name, version in rows] == [
        ("901", "old", "1.0"), ("3", "new", "2.0"), ("-", "odd", "3"), ("-", "unknown", "1"),
    ]  # fmt: skip


def test_the_installed_packages_come_from_their_metadata() -> None:
    names = {package.name: package.version for package in package_index.installed()}
    assert names["Flask"]
    assert len(names) > 30
