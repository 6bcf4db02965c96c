"""Commits by several at the same moment, and processes that are killed: nothing is lost or doubled."""

from __future__ import annotations

import errno
import os
import subprocess
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from app.publishing.targets.base import NOT_DELIVERED, PublishProblem, Reference
from app.publishing.targets.git import locks, posts
from app.publishing.targets.git.kind import GIT
from app.publishing.targets.git.local import LocalBranch
from tests.support.git import (
    Repository,
    access,
    bare_repository,
    clone_of,
    commit_in,
    document,
    git,
    push,
    with_work_tree,
)
from tests.support.lost_processes import lost_at, stopped_after

INDEX = "content/posts/garden-notes/index.md"


def test_a_push_between_reading_and_committing_is_kept(repository: Repository, tmp_path: Path) -> None:
    clone = clone_of(repository.path, tmp_path / "clone")
    commit_in(clone, "about.md", "About\n", "Tell about us")
    pushes = [lambda: push(clone)]
    commit = LocalBranch.commit

    def commit_after_a_push(branch: LocalBranch, *arguments: object) -> None:
        if pushes:
            pushes.pop()()
        commit(branch, *arguments)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LocalBranch, "commit", commit_after_a_push)
        GIT.create(document(), access())
    assert repository.subjects() == ["Begin", "Tell about us", "Add “Garden notes”"]
    assert {"about.md", INDEX} <= set(repository.files())


@pytest.mark.thorough
def test_many_writers_and_a_pushing_maintainer_lose_no_commit(
    git_app: Flask, repository: Repository, tmp_path: Path
) -> None:
    writers, each = 4, 5
    errors: list[Exception] = []

    def write(number: int) -> None:
        with git_app.app_context():
            for count in range(each):
                slug = f"post-{number}-{count}"
                try:
                    GIT.create(document(slug=slug, publication_id=f"pub_{slug}"), access())
                except PublishProblem as error:
                    errors.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    clone = clone_of(repository.path, tmp_path / "clone")
    for thread in threads:
        thread.start()
    pushed = 0
    while any(thread.is_alive() for thread in threads) and pushed < each:
        commit_in(clone, f"page-{pushed}.md", "A page\n")
        push_until_taken(clone)
        pushed += 1
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(repository.subjects()) == 1 + writers * each + pushed
    assert len([path for path in repository.files() if path.endswith("index.md")]) == writers * each
    git(repository.path, "fsck", "--strict")


def push_until_taken(clone: Path) -> None:
    for _ in range(50):
        try:
            push(clone)
            return
        except subprocess.CalledProcessError:
            continue
    raise AssertionError("the push was never taken")


def test_a_branch_that_stays_locked_is_reported_and_nothing_is_written(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posts, "_PAUSE", 0)
    (repository.path / "refs" / "heads" / "main.lock").touch()
    with pytest.raises(PublishProblem) as caught:
        GIT.create(document(), access())
    assert (caught.value.failure.code, caught.value.certainty) == ("PUBLISH_ENDPOINT_FAILED", NOT_DELIVERED)
    (repository.path / "refs" / "heads" / "main.lock").unlink()
    GIT.create(document(), access())
    assert repository.subjects() == ["Begin", "Add “Garden notes”"]


def test_the_lock_of_a_killed_process_gives_way_at_once(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = repository.path / "refs" / "heads" / "main.lock"
    monkeypatch.setattr(posts, "_PAUSE", 60)
    with stopped_after("link", partial(GIT.create, document(), access())):
        monkeypatch.setattr(locks, "WAIT_SECONDS", 0.01)
        with pytest.raises(PublishProblem) as caught:
            GIT.create(document(), access())
        assert (caught.value.failure.code, caught.value.certainty) == (
            "PUBLISH_ENDPOINT_FAILED",
            NOT_DELIVERED,
        )
        assert lock.exists()
    assert lock.exists()
    GIT.create(document(), access())
    assert repository.subjects() == ["Begin", "Add “Garden notes”"]
    assert not lock.exists()


def test_on_a_disk_without_hard_links_git_locks_are_taken_as_git_takes_them(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "no links")

    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(posts, "_PAUSE", 0)
    GIT.create(document(), access())
    lock = repository.path / "refs" / "heads" / "main.lock"
    lock.touch()
    with pytest.raises(PublishProblem):
        GIT.create(document(slug="b", publication_id="pub_b"), access())
    os.utime(lock, (0, time.time() - 301))
    GIT.create(document(slug="b", publication_id="pub_b"), access())
    assert len(repository.subjects()) == 3


@pytest.mark.parametrize("has_work_tree", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_a_worker_killed_at_any_step_leaves_one_post_in_the_end(git_root: Path, has_work_tree: bool) -> None:
    name = "site" if has_work_tree else "blog.git"
    blog = with_work_tree(git_root) if has_work_tree else bare_repository(git_root, name)
    began = len(blog.subjects())
    number, was_killed = 0, True
    while was_killed:
        number += 1
        slug = f"post-{number}"
        post = document(slug=slug, publication_id=f"pub_{number:032}")
        was_killed = lost_at(number, partial(GIT.create, post, access(repository=name)))
        reference = Reference(post.publication_id, slug)
        if GIT.find(reference, access(repository=name)) is None:
            GIT.create(post, access(repository=name))
        assert [path for path in blog.files() if slug in path and path.endswith(".md")] == [
            f"content/posts/{slug}/index.md"
        ]
    assert number > 8
    assert len(blog.subjects()) == began + number
    git(blog.path, "fsck", "--strict")
