"""Blogs that a test connects: a bare Git repository, look-alikes of WordPress and Ghost, and real ones."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from tests.support import ghosts, wordpress
from tests.support.gateway import Forward, Gateway, to_site
from tests.support.git import bare_repository
from tests.support.servers import Reply, Request

Fault = Callable[[], dict[str, str]]


@dataclass(frozen=True)
class Place:
    """A blog to connect: the body that connects it, the settings of the service, and what it has.

    ``posts`` returns the title and the visibility of each post there. A fault is what can be wrong with the
    blog or with what is entered: it spoils the blog until ``mend``, or returns what is entered instead.
    """

    body: dict[str, Any]
    overrides: dict[str, str]
    posts: Callable[[], list[tuple[str, str]]]
    faults: Mapping[str, Fault]
    mend: Callable[[], None]
    wrong_secret: str | None = None

    @property
    def kind(self) -> str:
        """The name of its kind of target."""
        return str(self.body["kind"])

    @property
    def entered(self) -> dict[str, str]:
        """What is entered to connect it, by the names of the settings; "secret" is the secret."""
        secret = {"secret": self.body["secret"]} if "secret" in self.body else {}
        return {**self.body["settings"], **secret}


def at_ghost(blog: ghosts.Blog) -> Iterator[Place]:
    """Yield the place of a Ghost, which a gateway can hide behind a login page."""

    def posts() -> list[tuple[str, str]]:
        answer = ghosts.api.request(blog.access(), "GET", "posts/?limit=100")
        shown = {"published": "live", "draft": "draft"}
        return [(post["title"], shown[post["status"]]) for post in ghosts.api.posts_of(answer)]

    gateway = Gateway(to_site(urlsplit(blog.url).netloc))
    key_id = blog.key.partition(":")[0]
    wrong = f"{'0' * 24}:{'0' * 64}"
    faults: dict[str, Fault] = {
        "a wrong key": lambda: {"secret": f"{key_id}:{'0' * 64}"},
        "the key of a removed integration": lambda: {"secret": wrong},
        "a site behind a login page": lambda: hide_behind_login(gateway),
    }
    body = {"name": "Blog", "kind": "ghost", "settings": {"url": gateway.url}, "secret": blog.key}
    yield Place(body, {"FETCH_ALLOW": gateway.address}, posts, faults, gateway.mend, wrong)
    gateway.close()


def at_wordpress(blog: wordpress.Blog) -> Place:
    """Return the place of a WordPress site."""

    def posts() -> list[tuple[str, str]]:
        shown = {"publish": "live", "draft": "draft"}
        return [(post["title"]["raw"], shown[post["status"]]) for post in blog.posts()]

    def with_option(name: str) -> Fault:
        def switch_on() -> dict[str, str]:
            blog.options.add(name)
            return {}

        return switch_on

    def mend() -> None:
        blog.options.clear()
        blog.gateway.mend()

    wrong = "abcd efgh ijkl mnop qrst uvwx"
    faults: dict[str, Fault] = {
        "a wrong password": lambda: {"secret": wrong},
        "a subscriber": lambda: {"username": "subscriber", "secret": blog.passwords["subscriber"]},
        "application passwords switched off": with_option("no_application_passwords"),
        "a site behind a login page": lambda: hide_behind_login(blog.gateway),
        "a plugin that switches the API off": with_option("rest_off"),
    }
    settings = {"url": blog.url, "username": "author"}
    body = {"name": "Blog", "kind": "wordpress", "settings": settings, "secret": blog.passwords["author"]}
    return Place(body, {"FETCH_ALLOW": blog.gateway.address}, posts, faults, mend, wrong)


def at_git(folder: Path) -> Place:
    """Return the place of a repository that Hugo builds a site from."""
    root, away = folder / "repositories", folder / "away"
    root.mkdir()
    repository = bare_repository(root, "site.git")

    def posts() -> list[tuple[str, str]]:
        texts = [repository.text(path) for path in repository.files() if path.endswith("/index.md")]
        return [(_title(text), "draft" if "draft: true" in text else "live") for text in texts]

    def move_root() -> dict[str, str]:
        shutil.move(root, away)
        return {}

    def mend() -> None:
        if away.exists():
            shutil.move(away, root)

    faults: dict[str, Fault] = {
        "no such repository": lambda: {"repository": "blog.git"},
        "no root of repositories": move_root,
    }
    settings = {
        "repository": "site.git",
        "flavour": "hugo",
        "folder": "content/posts",
        "site_url": "https://alice.example/{slug}/",
    }
    body = {"name": "Blog", "kind": "git", "settings": settings}
    return Place(body, {"GIT_ROOT": str(root)}, posts, faults, mend)


def hide_behind_login(gateway: Gateway) -> dict[str, str]:
    """Send every caller to a login page, as the protection of an unfinished site does."""

    def answer(request: Request, _forward: Forward) -> Reply:
        if request.path.startswith("/login"):
            return Reply(200, {"Content-Type": "text/html"}, b"<form><input type=password></form>")
        return Reply(302, {"Location": "/login"})

    gateway.spoil(lambda _: True, answer)
    return {}


def _title(text: str) -> str:
    lines = [line for line in text.splitlines() if line.startswith("title: ")]
    return lines[0].removeprefix("title: ").strip("'\"")


REAL: Final = ("real wordpress", "ghost 5", "ghost 6")


def real(name: str, *values: str) -> Any:
    """Return a parameter for the real blog of a name, with further values."""
    marks = [pytest.mark.thorough, *([pytest.mark.wordpress] if name == "real wordpress" else [])]
    return pytest.param(name, *values, marks=marks)


WITH_SECRETS: Final = ("wordpress", "ghost", *map(real, REAL))


@pytest.fixture(params=["git", *WITH_SECRETS])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Each blog in turn, without posts of other tests."""
    name: str = request.param
    if name.endswith("wordpress"):
        with wordpress.blog_of("real" if name.startswith("real") else "look-alike", request) as blog:
            yield at_wordpress(blog)
    elif name == "git":
        yield at_git(tmp_path)
    elif name == "ghost":
        yield from at_ghost(request.getfixturevalue("look_alike"))
    else:
        yield from at_ghost(ghosts.real_blog(name[-1], request))
