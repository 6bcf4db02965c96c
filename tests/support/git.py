"""What tests of Git targets need: a root with repositories, and git itself to make, change and read them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app.config import load_settings
from app.infra.http.client import Fetcher
from app.infra.http.response import FetchPolicy
from app.publishing.targets.base import Access, Document, Picture
from app.publishing.targets.git.kind import GIT
from tests.support.environment import settings_environment

PUBLICATION_ID = "pub_0123456789abcdef0123456789abcdef"
DATE = "2026-03-04T05:06:07.000Z"
IDENTITY = {
    "GIT_AUTHOR_NAME": "Maintainer", "GIT_AUTHOR_EMAIL": "maintainer@example.com",
    "GIT_COMMITTER_NAME": "Maintainer", "GIT_COMMITTER_EMAIL": "maintainer@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
}  # fmt: skip


def git(folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
    """Run git in a folder and return what it prints."""
    names = {**os.environ, **IDENTITY, **(environment or {})}
    ran = subprocess.run(["git", *arguments], cwd=folder, env=names, check=True, capture_output=True)
    return ran.stdout.decode()


@dataclass(frozen=True)
class Repository:
    """A repository below the root."""

    path: Path

    def files(self, branch: str = "main") -> list[str]:
        """The paths of a branch's files."""
        return git(self.path, "ls-tree", "-r", "--name-only", branch).split("\n")[:-1]

    def text(self, path: str, branch: str = "main") -> str:
        """The content of a file."""
        return git(self.path, "show", f"{branch}:{path}")

    def subjects(self, branch: str = "main") -> list[str]:
        """The subjects of a branch's commits, oldest first."""
        return git(self.path, "log", "--reverse", "--format=%s", branch).split("\n")[:-1]


@pytest.fixture
def git_app(tmp_path: Path) -> Flask:
    """An application with nothing but settings, which name a root of repositories."""
    root = tmp_path / "repositories"
    root.mkdir()
    app = Flask("git")
    app.extensions["settings"] = load_settings(settings_environment(GIT_ROOT=str(root)))
    return app


@pytest.fixture
def git_root(git_app: Flask) -> Iterator[Path]:
    """The root of repositories of the current settings."""
    with git_app.app_context():
        yield Path(git_app.extensions["settings"].git_root)


@pytest.fixture
def repository(git_root: Path) -> Repository:
    """A bare repository with one commit on its branch main."""
    return bare_repository(git_root, "blog.git")


def bare_repository(root: Path, name: str) -> Repository:
    """A bare repository below the root with one commit on its branch main."""
    path = root / name
    git(root, "init", "-q", "--bare", "-b", "main", name)
    clone = clone_of(path, root / f".clone of {name}")
    commit_in(clone, "README.md", "A blog\n", "Begin")
    git(clone, "push", "-q", "origin", "HEAD:main")
    return Repository(path)


def clone_of(repository: Path, folder: Path) -> Path:
    """A clone of a repository, as a maintainer of the site has it."""
    git(repository.parent, "clone", "-q", str(repository), str(folder))
    return folder


def commit_in(clone: Path, path: str, text: str | None, message: str = "Change") -> None:
    """Commit a file in a clone, or its removal."""
    file = clone / path
    if text is None:
        git(clone, "rm", "-q", path)
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        git(clone, "add", "-f", path)
    git(clone, "commit", "-q", "-m", message)


def push(clone: Path) -> None:
    """Rebase a clone on the repository's branch and push it."""
    git(clone, "pull", "-q", "--rebase", "origin", "main")
    git(clone, "push", "-q", "origin", "HEAD:main")


def with_work_tree(root: Path) -> Repository:
    """A repository whose branch main is checked out."""
    tree = clone_of(bare_repository(root, "blog.git").path, root / "site")
    commit_in(tree, "content/posts/_index.md", "---\ntitle: Blog\n---\n")
    return Repository(tree)


def settings_of(**changed: str) -> dict[str, str]:
    """The checked settings of a target for a Hugo site."""
    site_url = "https://alice.example/blog/{slug}/"
    return GIT.checked_settings(
        {"repository": "blog.git", "flavour": "hugo", "site_url": site_url, **changed}
    )


def access(**changed: str) -> Access:
    """What calls to a Git target need."""
    return Access(settings_of(**changed), None, Fetcher(FetchPolicy("tests")))


def document(**changed: Any) -> Document:
    """A post with a cover, as it is sent."""
    own = ("digest", "visibility", "is_update", "images")
    members = {name: changed.pop(name) for name in own if name in changed}
    slug = changed.get("slug", "garden-notes")
    picture = changed.pop("picture", Picture(b"a picture", "image/png", "A notebook", f"{slug}-1.png"))
    publication_id = changed.pop("publication_id", PUBLICATION_ID)
    date = changed.pop("date", DATE)
    post = {
        "id": 1, "version": 1, "title": "Garden notes", "slug": slug, "language": "en",
        "description": "What to write: how", "tags": ["notes", "1e3"], "content": "Good notes help.\n",
        "content_html": "<p>Good notes help.</p>\n",
        "json_ld": [{"@type": "BlogPosting", "datePublished": date}], **changed,
    }  # fmt: skip
    values: dict[str, Any] = {"digest": "a" * 64, **members}
    return Document(publication_id, post=post, picture=picture, **values)
