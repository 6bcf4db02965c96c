"""Repositories on the disk: those below the root and no others, and their work trees."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from app.failures import ServiceFailure
from app.infra.settings import current_settings
from app.publishing.targets.base import NOT_DELIVERED, CheckStep, PublishProblem, Reference
from app.publishing.targets.git.kind import GIT
from app.publishing.targets.git.local import problems
from app.publishing.targets.registry import offered_kinds
from tests.support.git import (
    PUBLICATION_ID,
    Repository,
    access,
    bare_repository,
    clone_of,
    commit_in,
    document,
    git,
    push,
    settings_of,
    with_work_tree,
)

INDEX = "content/posts/garden-notes/index.md"
KNOWN = Reference(PUBLICATION_ID, "garden-notes")


def checks(**settings: str) -> list[CheckStep]:
    return list(GIT.check(access(**settings)))


def problem_of(**settings: str) -> PublishProblem:
    with pytest.raises(PublishProblem) as caught:
        GIT.create(document(), access(**settings))
    return caught.value


@pytest.mark.parametrize(
    "path", ["/etc", "../blog.git", "a/../../blog.git", ".git", "a/./b", "a//b", "a\\b", ""]
)
def test_a_repository_is_named_by_a_path_below_the_root(git_root: Path, path: str) -> None:
    with pytest.raises(ServiceFailure) as refused:
        settings_of(repository=path)
    assert refused.value.errors[0]["field"] == "/settings/repository"


@pytest.mark.parametrize(
    ("setting", "value"),
    [("folder", "/posts"), ("folder", "posts/.."), ("folder", "x" * 91), ("branch", "-x"), ("branch", "a..b"),
     ("branch", "a b"), ("flavour", "gatsby"), ("site_url", "no url"), ("site_url", "https://a.example/{id}/"),
     ("default_status", "maybe"), ("author_name", "A <a>"), ("author_email", "nobody")],
)  # fmt: skip
def test_other_settings_are_refused_by_their_name(git_root: Path, setting: str, value: str) -> None:
    with pytest.raises(ServiceFailure) as refused:
        settings_of(**{setting: value})
    assert refused.value.errors[0]["field"] == f"/settings/{setting}"


def test_the_address_of_a_post_gets_its_slug_and_its_date(repository: Repository) -> None:
    assert (
        settings_of(site_url="https://alice.example/blog")["site_url"] == "https://alice.example/blog/{slug}/"
    )
    dated = access(site_url="https://alice.example/{year}/{month}/{day}/{slug}.html")
    assert GIT.create(document(), dated).url == "https://alice.example/2026/03/04/garden-notes.html"


def test_branches_in_a_reftable_are_refused(repository: Repository) -> None:
    git(repository.path, "config", "core.repositoryFormatVersion", "1")
    git(repository.path, "config", "extensions.refStorage", "reftable")
    found = problem_of().failure
    assert (found.code, "reftable" in found.message) == ("TARGET_API_NOT_FOUND", True)


def test_a_target_needs_a_root(git_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = access()
    assert "git" in offered_kinds()
    object.__setattr__(current_settings(), "git_root", None)
    with pytest.raises(ServiceFailure) as refused:
        settings_of()
    assert "GIT_ROOT" in refused.value.errors[0]["message"]
    assert "git" not in offered_kinds()
    [step] = GIT.check(settings)
    assert step.failure is not None
    assert (step.name, step.failure.code) == ("reachable", "TARGET_API_NOT_FOUND")


def outside(root: Path) -> Path:
    """A repository that is not below the root."""
    return bare_repository(root.parent, "outside.git").path


def linked(root: Path) -> None:
    (root / "blog.git").symlink_to(outside(root))


def through_a_folder(root: Path) -> None:
    (root / "blog.git").symlink_to(root.parent)
    outside(root)


def by_a_git_file(root: Path) -> None:
    (root / "blog.git").mkdir()
    (root / "blog.git" / ".git").write_text(f"gitdir: {outside(root)}\n")


def with_objects_elsewhere(root: Path) -> None:
    path = bare_repository(root, "blog.git").path
    (path / "objects").rename(root.parent / "objects")
    (path / "objects").symlink_to(root.parent / "objects")


def with_branches_elsewhere(root: Path) -> None:
    path = bare_repository(root, "blog.git").path
    (path / "refs" / "heads").rename(root.parent / "heads")
    (path / "refs" / "heads").symlink_to(root.parent / "heads")


def with_a_work_tree_elsewhere(root: Path) -> None:
    path = bare_repository(root, "blog.git").path
    git(path, "config", "core.bare", "false")
    git(path, "config", "core.worktree", str(root.parent))


def the_root_itself(root: Path) -> None:
    (root / "blog.git").symlink_to(root)
    git(root, "init", "-q", "--bare", ".")


def no_repository(root: Path) -> None:
    (root / "blog.git").mkdir()


@pytest.mark.parametrize(
    "prepare",
    [linked, through_a_folder, by_a_git_file, with_objects_elsewhere, with_branches_elsewhere,
     with_a_work_tree_elsewhere, the_root_itself, no_repository],
)  # fmt: skip
def test_nothing_outside_the_root_is_a_repository(git_root: Path, prepare: object) -> None:
    assert callable(prepare)
    prepare(git_root)
    [step] = checks()
    assert step.failure is not None
    assert (step.name, step.failure.code) == ("reachable", "TARGET_API_NOT_FOUND")
    with pytest.raises(PublishProblem) as caught:
        GIT.create(document(), access())
    assert (caught.value.failure.code, caught.value.certainty) == ("TARGET_API_NOT_FOUND", NOT_DELIVERED)
    assert str(git_root) not in str(caught.value.failure.to_dict())


def test_the_test_of_a_target_goes_step_by_step(repository: Repository) -> None:
    steps = checks()
    assert [step.name for step in steps] == [
        "reachable",
        "api_found",
        "signed_in",
        "may_publish",
        "may_delete",
    ]
    assert all(step.failure is None for step in steps)
    assert "“main”" in steps[1].message
    missing = checks(branch="nothing")
    assert [(step.name, step.failure is None) for step in missing] == [
        ("reachable", True),
        ("api_found", False),
    ]


def test_a_detached_head_needs_a_branch_in_the_settings(repository: Repository) -> None:
    git(repository.path, "update-ref", "--no-deref", "HEAD", "main")
    steps = checks()
    assert steps[-1].failure is not None
    assert "name the branch" in steps[-1].message
    GIT.create(document(), access(branch="main"))
    assert INDEX in repository.files()


def test_files_that_are_checked_out_follow_the_branch(git_root: Path) -> None:
    site = with_work_tree(git_root)
    remote = GIT.create(document(), access(repository="site"))
    assert (site.path / INDEX).read_text() == site.text(INDEX)
    assert git(site.path, "status", "--porcelain") == ""
    moved = GIT.write(document(slug="notes"), remote, access(repository="site"))
    assert not (site.path / INDEX).exists()
    GIT.delete(moved, access(repository="site"))
    assert git(site.path, "status", "--porcelain") == ""
    commit_in(site.path, "about.md", "About\n")
    assert site.files() == ["README.md", "about.md", "content/posts/_index.md"]


def test_a_change_that_somebody_made_in_the_work_tree_stays(git_root: Path) -> None:
    site = with_work_tree(git_root)
    remote = GIT.create(document(), access(repository="site"))
    (site.path / INDEX).write_text("being written\n")
    (site.path / "staged.md").write_text("staged\n")
    git(site.path, "add", "staged.md")
    GIT.write(document(digest="b" * 64), remote, access(repository="site"))
    assert (site.path / INDEX).read_text() == "being written\n"
    assert "b" * 64 in site.text(INDEX)
    status = git(site.path, "status", "--porcelain").splitlines()
    assert "A  staged.md" in status
    assert any(line.endswith(INDEX) for line in status)


def test_no_link_in_a_work_tree_leads_a_file_elsewhere(git_root: Path, tmp_path: Path) -> None:
    site = with_work_tree(git_root)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (site.path / "src").symlink_to(elsewhere)
    remote = GIT.create(document(), access(repository="site", flavour="astro"))
    assert remote.external_id in site.files()
    assert list(elsewhere.iterdir()) == []


def test_another_branch_than_the_one_checked_out_leaves_the_work_tree_alone(git_root: Path) -> None:
    site = with_work_tree(git_root)
    git(site.path, "branch", "posts")
    GIT.create(document(), access(repository="site", branch="posts"))
    assert INDEX in site.files("posts")
    assert not (site.path / INDEX).exists()
    assert git(site.path, "status", "--porcelain") == ""


def test_an_empty_repository_gets_its_branch_with_the_first_post(git_root: Path) -> None:
    git(git_root, "init", "-q", "--bare", "-b", "trunk", "blog.git")
    assert GIT.find(KNOWN, access()) is None
    GIT.create(document(), access())
    blog = Repository(git_root / "blog.git")
    assert blog.subjects("trunk") == ["Add “Garden notes”"]
    other = access(branch="other")
    with pytest.raises(PublishProblem) as caught:
        GIT.find(KNOWN, other)
    assert caught.value.failure.message == "The repository has no branch “other”."


def test_posts_go_to_the_branch_that_the_settings_name(repository: Repository) -> None:
    git(repository.path, "branch", "posts/live", "main")
    GIT.create(document(), access(branch="posts/live"))
    assert INDEX in repository.files("posts/live")
    assert repository.files("main") == ["README.md"]


def test_a_packed_repository_is_read_and_written(repository: Repository) -> None:
    GIT.create(document(), access())
    git(repository.path, "gc", "-q", "--prune=now")
    assert GIT.create(document(), access()).digest == "a" * 64
    GIT.write(document(digest="b" * 64), GIT.create(document(), access()), access())
    git(repository.path, "fsck", "--strict")
    assert repository.subjects() == ["Begin", "Add “Garden notes”", "Update “Garden notes”"]


def test_a_folder_that_is_a_file_or_a_link_is_refused(repository: Repository, tmp_path: Path) -> None:
    clone = clone_of(repository.path, tmp_path / "clone")
    (clone / "linked").symlink_to("/etc")
    git(clone, "add", "linked")
    git(clone, "commit", "-q", "-m", "Link")
    push(clone)
    for folder in ("README.md", "linked", "linked/posts"):
        problem = problem_of(folder=folder)
        assert (problem.failure.code, problem.certainty) == ("PUBLISH_REJECTED", NOT_DELIVERED)


def test_a_damaged_repository_is_reported_and_not_written(repository: Repository) -> None:
    tree = git(repository.path, "rev-parse", "main^{tree}").strip()
    (repository.path / "objects" / tree[:2] / tree[2:]).unlink()
    problem = problem_of()
    assert problem.failure.code == "PUBLISH_REJECTED"
    assert "git fsck" in problem.failure.message
    assert str(repository.path) not in str(problem.failure.to_dict())


def test_a_disk_that_does_not_answer_is_not_taken_for_another_job() -> None:
    with pytest.raises(PublishProblem) as raised, problems():
        raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
    found = raised.value.failure
    assert found.details == {"reason": os.strerror(errno.ETIMEDOUT)}
    assert "Another job" not in found.message
