"""Posts in a Git repository through jobs, as customers publish them."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from app.content.posts.service import edit_post
from app.executions import service as executions
from app.executions.model import ExecutionJob
from app.infra.db import db
from app.operations import unpublish_blog_post
from app.projects.model import Project
from app.publishing import abandoned, service
from app.publishing.model import PublishTarget
from app.publishing.target_check import check_target
from tests.support.git import Repository, bare_repository, clone_of, commit_in, git, push
from tests.support.publishing import (
    alice_project,
    failure_code,
    fresh,
    job_now,
    post_of,
    publication_of,
    publish,
    state,
)
from tests.support.working import run_job

INDEX = "content/posts/garden-notes/index.md"

pytestmark = pytest.mark.usefixtures("db_app", "no_waiting")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("repositories")


@pytest.fixture
def settings_overrides(root: Path) -> dict[str, str]:
    return {"GIT_ROOT": str(root)}


@pytest.fixture
def blog(root: Path, tmp_path: Path) -> Repository:
    return bare_repository(root, f"{tmp_path.name}.git")


@pytest.fixture
def project() -> Project:
    return alice_project()


@pytest.fixture
def target(project: Project, blog: Repository) -> PublishTarget:
    settings = {
        "repository": blog.path.name, "flavour": "hugo", "site_url": "https://alice.example/blog/{slug}/"
    }  # fmt: skip
    made, secret = service.add_target(project, "git", "Site", settings)
    assert secret is None
    return made


@pytest.fixture
def post(project: Project, target: PublishTarget) -> int:
    return post_of(project).id


def unpublish(post_id: int) -> ExecutionJob:
    project = db.session.get_one(Project, fresh(post_id).project_id)
    data = unpublish_blog_post.UnpublishBlogPostInput().load({"blog_post_id": post_id})
    submission = executions.Submission(
        project, unpublish_blog_post.OPERATION, data, f"create:{project.id}", requested_by="Alice"
    )
    job_id = executions.submit(submission).job.id
    run_job(job_id)
    return job_now(job_id)


def change(post_id: int, text: str) -> None:
    post = fresh(post_id)
    edit_post(post, post.version, {"content": f"{post.content}\n{text}\n"})


def test_a_target_passes_its_test(db_app: Flask, target: PublishTarget) -> None:
    assert check_target(target)["passed"] is True


def test_a_post_goes_live_is_changed_and_is_taken_back(post: int, blog: Repository) -> None:
    job = publish(post)
    assert job.result is not None
    assert job.result["url"] == "https://alice.example/blog/garden-notes/"
    assert state(post) == ("live", "published")
    change(post, "The last word is new.")
    publish(post)
    assert "The last word is new." in blog.text(INDEX)
    publish(post)
    assert unpublish(post).status == "succeeded"
    assert state(post) == ("unpublished", "draft")
    assert "draft: true" in blog.text(INDEX)
    subjects = [subject.partition(" “")[0] for subject in blog.subjects()]
    assert subjects == ["Begin", "Add", "Update", "Unpublish"]
    publish(post)
    assert state(post) == ("live", "published")
    assert "draft: false" in blog.text(INDEX)
    assert len([path for path in blog.files() if path.endswith("index.md")]) == 1


def test_a_draft_there_stays_a_draft_here_and_is_removed_with_the_post(post: int, blog: Repository) -> None:
    publish(post, visibility="draft")
    assert state(post) == ("draft", "draft")
    assert "draft: true" in blog.text(INDEX)
    abandoned.abandon(abandoned.drafts_of(post))
    db.session.commit()
    assert abandoned.delete_abandoned_drafts() == 1
    assert blog.files() == ["README.md"]


def test_an_edit_in_the_repository_is_asked_about_before_it_is_replaced(
    post: int, blog: Repository, tmp_path: Path
) -> None:
    publish(post)
    clone = clone_of(blog.path, tmp_path / "clone")
    commit_in(clone, INDEX, (clone / INDEX).read_text() + "\nOne more remark.\n")
    push(clone)
    change(post, "The last word is new.")
    refused = publish(post)
    assert failure_code(refused) == "TARGET_POST_EDITED"
    assert "One more remark." in blog.text(INDEX)
    assert publish(post, overwrite=True).status == "succeeded"
    assert "One more remark." not in blog.text(INDEX)


def test_an_edit_in_a_renamed_file_is_asked_about_each_time(
    post: int, blog: Repository, tmp_path: Path
) -> None:
    publish(post)
    clone, renamed = clone_of(blog.path, tmp_path / "clone"), "content/posts/garden-notes/notes.md"
    git(clone, "mv", INDEX, renamed)
    commit_in(clone, renamed, (clone / renamed).read_text() + "\nOne more remark.\n")
    push(clone)
    change(post, "The last word is new.")
    assert failure_code(publish(post)) == "TARGET_POST_EDITED"
    assert failure_code(publish(post)) == "TARGET_POST_EDITED"
    assert "One more remark." in blog.text(renamed)


def test_a_changed_slug_moves_the_post_and_its_record(post: int, blog: Repository) -> None:
    publish(post)
    edited = fresh(post)
    edit_post(edited, edited.version, {"slug": "notes"})
    assert publish(post).status == "succeeded"
    assert publication_of(post).external_id == "content/posts/notes/index.md"
    assert publication_of(post).url == "https://alice.example/blog/notes/"
    assert [path for path in blog.files() if path.endswith("index.md")] == ["content/posts/notes/index.md"]


def test_a_slug_that_is_taken_there_fails_with_its_path(post: int, blog: Repository, tmp_path: Path) -> None:
    clone = clone_of(blog.path, tmp_path / "clone")
    commit_in(clone, "content/posts/garden-notes.md", "Somebody else's\n")
    push(clone)
    refused = publish(post)
    assert failure_code(refused) == "TARGET_SLUG_TAKEN"
    assert state(post) == ("failed", "draft")


def test_a_file_that_was_there_before_becomes_the_post_and_is_never_removed(
    post: int, blog: Repository, tmp_path: Path
) -> None:
    clone = clone_of(blog.path, tmp_path / "clone")
    commit_in(clone, "content/posts/garden-notes.md", "---\ntitle: Old notes\n---\nThe old text.\n")
    push(clone)
    details = (publish(post).failure or {})["details"]
    assert "The old text." in details["text_there"]
    assert publish(post, existing_post=details["existing_post"]).status == "succeeded"
    assert blog.files() == sorted(["README.md", INDEX, *[path for path in blog.files() if ".png" in path]])
    assert "How to keep garden notes" in blog.text(INDEX)
    assert publication_of(post).external_id == INDEX
    assert unpublish(post).status == "succeeded"
    assert abandoned.drafts_of(post) == []
