"""A repository at a forge, with a gateway before the forge that can spoil its answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.infra.http.client import Fetcher
from app.infra.http.response import FetchPolicy
from app.publishing.targets.base import Access
from app.publishing.targets.git.github import GITHUB
from tests.support.forge_site import NAME, TOKEN, ForgeSite
from tests.support.gateway import Gateway
from tests.support.git import Repository, bare_repository


@dataclass
class ForgeTarget:
    """A repository at a forge, and the gateway before it."""

    site: ForgeSite
    gateway: Gateway

    @property
    def repository(self) -> Repository:
        return self.site.repository

    def access(self, token: str = TOKEN, seconds: float = 20.0, **changed: str) -> Access:
        host, _, port = self.gateway.address.partition(":")
        policy = FetchPolicy("tests", allow=frozenset({(host, int(port))}), total_seconds=seconds)
        return Access({**self.settings(), **changed}, token, Fetcher(policy))

    def settings(self, **changed: str) -> dict[str, str]:
        site_url = "https://alice.example/blog/{slug}/"
        values = {"repository": NAME, "flavour": "hugo", "site_url": site_url, **changed}
        checked = GITHUB.checked_settings(values)
        return {**checked, "api_url": f"{self.gateway.url}{self.site.prefix}"}

    def writes(self) -> list[str]:
        return [request.method for request in self.gateway.requests if request.method != "GET"]


@pytest.fixture(params=["github", "gitea"])
def forge(request: pytest.FixtureRequest, git_root: Path) -> Iterator[ForgeTarget]:
    made = forge_target(bare_repository(git_root, "blog.git"), is_gitea=request.param == "gitea")
    yield made
    made.gateway.close()


@pytest.fixture
def github(git_root: Path) -> Iterator[ForgeTarget]:
    made = forge_target(bare_repository(git_root, "blog.git"))
    yield made
    made.gateway.close()


def forge_target(repository: Repository, *, is_gitea: bool = False) -> ForgeTarget:
    site = ForgeSite(repository, is_gitea)
    return ForgeTarget(site, Gateway(site.answer))
