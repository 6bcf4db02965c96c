"""Posts at a forge, against a look-alike of its API over a real repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.failures import ServiceFailure
from app.publishing.delivery import Delivery
from app.publishing.targets.base import (
    NOT_DELIVERED,
    UNKNOWN,
    PublishProblem,
    Reference,
    RemotePost,
)
from app.publishing.targets.git import posts
from app.publishing.targets.git.github import GITHUB
from tests.support.forge_site import TOKEN, reply
from tests.support.forges import ForgeTarget, forge_target
from tests.support.gateway import FAULTS
from tests.support.git import (
    PUBLICATION_ID,
    Repository,
    clone_of,
    commit_in,
    document,
    git,
    push,
)
from tests.support.servers import Reply, Request

INDEX = "content/posts/garden-notes/index.md"
IMAGE = "content/posts/garden-notes/garden-notes-1.png"
KNOWN = Reference(PUBLICATION_ID, "garden-notes")
REFUSED = {"429 before the write": "TARGET_RATE_LIMITED, not_delivered"}


def found(forge: ForgeTarget, external_id: str | None = None) -> RemotePost:
    remote = GITHUB.find(Reference(PUBLICATION_ID, "garden-notes", external_id=external_id), forge.access())
    assert remote is not None
    return remote


def problem_of(forge: ForgeTarget, **changed: str) -> PublishProblem:
    with pytest.raises(PublishProblem) as caught:
        GITHUB.create(document(), forge.access(**changed))
    return caught.value


def is_write_of(path: str) -> Any:
    return lambda request: request.method in ("PUT", "POST") and request.path.endswith(f"/contents/{path}")


def test_a_post_and_its_image_are_committed_and_found(forge: ForgeTarget) -> None:
    assert GITHUB.find(KNOWN, forge.access()) is None
    remote = GITHUB.create(document(), forge.access())
    assert (remote.external_id, remote.status, remote.digest) == (INDEX, "live", "a" * 64)
    assert remote.url == "https://alice.example/blog/garden-notes/"
    assert forge.repository.files() == ["README.md", IMAGE, INDEX]
    assert forge.repository.subjects() == ["Begin", "Add “Garden notes”", "Add “Garden notes”"]
    assert found(forge) == remote == found(forge, INDEX)
    assert GITHUB.create(document(), forge.access()) == remote
    assert len(forge.writes()) == 2


def test_the_author_is_the_owner_of_the_token_or_the_one_of_the_settings(forge: ForgeTarget) -> None:
    GITHUB.create(document(), forge.access())
    first = json.loads(next(each for each in forge.gateway.requests if each.method != "GET").body)
    assert "author" not in first
    named = forge.access(author_name="Alice", author_email="alice@alice.example")
    GITHUB.write(document(digest="b" * 64), found(forge), named)
    assert git(forge.repository.path, "log", "-1", "--format=%an <%ae>") == "Alice <alice@alice.example>\n"


def test_a_draft_goes_live_is_changed_moved_hidden_and_deleted(forge: ForgeTarget) -> None:
    draft = GITHUB.create(document(visibility="draft"), forge.access())
    assert draft.status == "draft"
    live = GITHUB.write(document(), draft, forge.access())
    assert live.status == "live"
    moved = GITHUB.write(document(slug="notes", digest="b" * 64), live, forge.access())
    assert forge.repository.files()[1:] == ["content/posts/notes/index.md", "content/posts/notes/notes-1.png"]
    GITHUB.unpublish(moved, forge.access())
    hidden = found(forge, moved.external_id)
    assert (hidden.status, hidden.fingerprint) == ("draft", moved.fingerprint)
    GITHUB.delete(hidden, forge.access())
    assert forge.repository.files() == ["README.md"]
    GITHUB.delete(hidden, forge.access())


def test_an_empty_repository_gets_its_branch_with_the_first_post(git_root: Path) -> None:
    git(git_root, "init", "-q", "--bare", "-b", "main", "empty.git")
    forge = forge_target(Repository(git_root / "empty.git"))
    assert GITHUB.create(document(), forge.access()).external_id == INDEX
    assert forge.repository.files() == [IMAGE, INDEX]
    forge.gateway.close()


def test_a_branch_that_is_not_there_is_reported(forge: ForgeTarget) -> None:
    problem = problem_of(forge, branch="nothing")
    assert (problem.failure.code, problem.certainty) == ("TARGET_API_NOT_FOUND", NOT_DELIVERED)
    assert "“nothing”" in problem.failure.message


def test_a_slug_that_another_file_has_is_taken(forge: ForgeTarget, tmp_path: Path) -> None:
    clone = clone_of(forge.repository.path, tmp_path / "clone")
    commit_in(clone, "content/posts/garden-notes.md", "Somebody else's\n")
    push(clone)
    assert problem_of(forge).failure.code == "TARGET_SLUG_TAKEN"
    assert forge.writes() == []


def test_an_edit_there_is_never_overwritten_unseen(forge: ForgeTarget, tmp_path: Path) -> None:
    first = GITHUB.create(document(), forge.access())
    clone = clone_of(forge.repository.path, tmp_path / "clone")
    commit_in(clone, INDEX, (clone / INDEX).read_text() + "\nMore.\n")
    push(clone)
    with pytest.raises(PublishProblem) as caught:
        GITHUB.write(document(digest="b" * 64), first, forge.access())
    assert caught.value.failure.code == "TARGET_POST_EDITED"
    assert found(forge).fingerprint != first.fingerprint


def test_an_edit_at_the_same_moment_is_read_again_and_not_overwritten(
    forge: ForgeTarget, tmp_path: Path
) -> None:
    first = GITHUB.create(document(), forge.access())
    clone = clone_of(forge.repository.path, tmp_path / "clone")
    commit_in(clone, INDEX, (clone / INDEX).read_text() + "\nMore.\n")

    def after_a_push(request: Request, forward: Any) -> Reply:
        push(clone)
        answer: Reply = forward(request)
        return answer

    forge.gateway.spoil_once(lambda request: request.path.endswith(f"/contents/{INDEX}"), after_a_push)
    with pytest.raises(PublishProblem) as caught:
        GITHUB.write(document(digest="b" * 64), first, forge.access())
    assert caught.value.failure.code == "TARGET_POST_EDITED"
    assert forge.repository.text(INDEX).endswith("\nMore.\n")


def test_a_conflict_that_goes_on_is_reported_with_the_words_of_the_forge(
    github: ForgeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posts, "_PAUSE", 0)
    refusal = reply(409, {"message": "Repository rule violations found"})
    github.gateway.spoil(is_write_of(IMAGE), lambda _request, _forward: refusal)
    problem = problem_of(github)
    assert (problem.failure.code, problem.certainty) == ("PUBLISH_REJECTED", NOT_DELIVERED)
    assert "Repository rule violations found" in problem.failure.hints[0]
    assert len(github.writes()) == 4


def test_a_moved_post_is_looked_for_only_if_it_was_known(github: ForgeTarget, tmp_path: Path) -> None:
    GITHUB.create(document(), github.access())
    clone = clone_of(github.repository.path, tmp_path / "clone")
    git(clone, "mv", INDEX, "content/posts/renamed.md")
    git(clone, "commit", "-q", "-m", "Rename")
    push(clone)
    assert found(github, INDEX).external_id == "content/posts/renamed.md"
    reads = len(github.gateway.requests)
    assert GITHUB.find(KNOWN, github.access()) is None
    assert not any("/git/blobs/" in request.path for request in github.gateway.requests[reads:])


def test_too_many_files_to_look_through_are_no_proof_that_a_post_is_gone(
    github: ForgeTarget, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("app.publishing.targets.git.github._MOST_READS", 1)
    clone = clone_of(github.repository.path, tmp_path / "clone")
    for name in ("one", "two"):
        commit_in(clone, f"content/posts/{name}.md", "Text\n")
    push(clone)
    with pytest.raises(PublishProblem) as caught:
        found(github, INDEX)
    assert caught.value.certainty == UNKNOWN


LIMITED = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}


@pytest.mark.parametrize(
    ("answer", "code", "certainty"),
    [
        (reply(401, {"message": "Bad credentials"}), "TARGET_AUTH", NOT_DELIVERED),
        (reply(403, {"message": "Resource not accessible"}), "TARGET_FORBIDDEN", NOT_DELIVERED),
        (reply(404, {"message": "Not Found"}), "TARGET_FORBIDDEN", NOT_DELIVERED),
        (Reply(403, LIMITED, b"{}"), "TARGET_RATE_LIMITED", NOT_DELIVERED),
        (Reply(403, {"Retry-After": "60"}, b"{}"), "TARGET_RATE_LIMITED", NOT_DELIVERED),
        (Reply(429, {"Retry-After": "60"}, b"{}"), "TARGET_RATE_LIMITED", NOT_DELIVERED),
        (Reply(422, body=b'{"message": "path is not valid"}'), "PUBLISH_REJECTED", NOT_DELIVERED),
        (Reply(301, {"Location": "/elsewhere"}), "PUBLISH_UNCLEAR", UNKNOWN),
        (Reply(500, body=b"oops"), "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
        (Reply(200, body=b"<html>"), "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
        (Reply(200, body=b"[]"), "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
    ],
)
def test_each_answer_to_a_write_has_its_failure(
    github: ForgeTarget, answer: Reply, code: str, certainty: str
) -> None:
    github.gateway.spoil(is_write_of(INDEX), lambda _request, _forward: answer)
    problem = problem_of(github)
    assert (problem.failure.code, problem.certainty) == (code, certainty)
    assert TOKEN not in json.dumps(problem.failure.to_dict())


@pytest.mark.thorough
@pytest.mark.parametrize("path", [IMAGE, INDEX])
@pytest.mark.parametrize("name", FAULTS)
def test_a_lost_answer_ends_with_one_live_post_or_with_its_failure(
    github: ForgeTarget, name: str, path: str
) -> None:
    github.gateway.spoil_once(is_write_of(path), FAULTS[name])
    assert publish(github) == REFUSED.get(name, "live")
    assert publish(github) == "live"
    assert github.repository.files() == ["README.md", IMAGE, INDEX]
    assert found(github).status == "live"


def publish(forge: ForgeTarget) -> str:
    """Publish as a job does; return the post's status, or code and certainty of the failure."""
    attempt = Delivery(GITHUB, forge.access(seconds=1.0), KNOWN, lambda _: None)
    try:
        return attempt.send(document, attempt.find_now()).status
    except PublishProblem as problem:
        return f"{problem.failure.code}, {problem.certainty}"


def test_a_token_is_entered_again_only_if_it_would_go_to_another_host() -> None:
    former = {"api_url": "https://api.github.com", "site_url": "https://old.example/blog/{slug}/"}
    GITHUB.refuse_another_host(former, {**former, "site_url": "https://new.example/blog/{slug}/"})
    with pytest.raises(ServiceFailure):
        GITHUB.refuse_another_host(former, {**former, "api_url": "https://forge.example/api/v1"})
