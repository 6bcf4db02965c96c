"""Posts in Git repositories on the disk: real repositories, made, changed and read with git itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from app.publishing.targets.base import NOT_DELIVERED, Picture, PublishProblem, Reference, RemotePost
from app.publishing.targets.git.kind import GIT
from tests.support.git import (
    DATE,
    PUBLICATION_ID,
    Repository,
    access,
    clone_of,
    commit_in,
    document,
    git,
    push,
)

INDEX = "content/posts/garden-notes/index.md"
KNOWN = Reference(PUBLICATION_ID, "garden-notes")
PATHS = {
    "hugo": (INDEX, INDEX),
    "astro": ("src/content/blog/garden-notes.md", "src/content/blog/garden-notes.md.draft"),
    "jekyll": ("_posts/2026-03-04-garden-notes.md", "_posts/2026-03-04-garden-notes.md"),
    "eleventy": ("content/blog/garden-notes/index.md", "content/blog/garden-notes/index.md"),
}
"""The path of a live and of a hidden post."""
HIDDEN = {
    "hugo": {"draft": True},
    "astro": {"draft": True},
    "jekyll": {"published": False},
    "eleventy": {"draft": True, "permalink": False, "eleventyExcludeFromCollections": True},
}


def members_of(text: str) -> dict[str, Any]:
    head: dict[str, Any] = yaml.safe_load(text.split("---\n")[1])
    return head


def found(**settings: str) -> RemotePost:
    remote = GIT.find(KNOWN, access(**settings))
    assert remote is not None
    return remote


def problem_of(**settings: str) -> PublishProblem:
    with pytest.raises(PublishProblem) as caught:
        GIT.create(document(), access(**settings))
    return caught.value


def test_a_post_and_its_image_are_one_commit_that_a_maintainer_understands(repository: Repository) -> None:
    remote = GIT.create(document(), access(author_name="Alice", author_email="alice@alice.example"))
    assert (remote.external_id, remote.url) == (INDEX, "https://alice.example/blog/garden-notes/")
    assert (remote.status, remote.digest) == ("live", "a" * 64)
    assert repository.files() == ["README.md", "content/posts/garden-notes/garden-notes-1.png", INDEX]
    last = git(repository.path, "log", "-1", "--format=%an <%ae>%n%B")
    assert last == (
        "Alice <alice@alice.example>\nAdd “Garden notes”\n\nhttps://alice.example/blog/garden-notes/\n\n"
        f"Publication-Id: {PUBLICATION_ID}\n\n"
    )


def test_the_front_matter_has_all_that_a_site_needs(repository: Repository) -> None:
    GIT.create(document(), access())
    members = members_of(repository.text(INDEX))
    assert members.pop("date").isoformat() == "2026-03-04T05:06:07+00:00"
    assert members == {
        "title": "Garden notes", "description": "What to write: how", "slug": "garden-notes", "draft": False,
        "tags": ["notes", "1e3"], "language": "en", "images": ["garden-notes-1.png"],
        "cover": {"image": "garden-notes-1.png", "alt": "A notebook", "relative": True},
        "publication_id": PUBLICATION_ID, "content_sha256": "a" * 64,
    }  # fmt: skip
    assert repository.text(INDEX).endswith("---\n\nGood notes help.\n")


@pytest.mark.parametrize("flavour", PATHS)
def test_each_generator_gets_drafts_that_it_hides_and_posts_that_it_shows(
    repository: Repository, flavour: str
) -> None:
    live, hidden = PATHS[flavour]
    draft = GIT.create(document(visibility="draft"), access(flavour=flavour))
    assert (draft.external_id, draft.status) == (hidden, "draft")
    assert HIDDEN[flavour].items() <= members_of(repository.text(hidden)).items()
    published = GIT.write(document(), draft, access(flavour=flavour))
    assert (published.external_id, published.status) == (live, "live")
    assert [path for path in repository.files() if ".md" in path] == ["README.md", live]
    assert not HIDDEN[flavour].items() <= members_of(repository.text(live)).items()
    assert repository.subjects() == ["Begin", "Add draft “Garden notes”", "Publish “Garden notes”"]


@pytest.mark.parametrize("flavour", PATHS)
def test_an_unpublished_post_is_hidden_with_the_text_that_it_has_there(
    repository: Repository, flavour: str, tmp_path: Path
) -> None:
    live, hidden = PATHS[flavour]
    GIT.create(document(), access(flavour=flavour))
    clone = clone_of(repository.path, tmp_path / "clone")
    commit_in(clone, live, (clone / live).read_text().replace("help.", "help a lot."))
    push(clone)
    edited = found(flavour=flavour)
    GIT.unpublish(edited, access(flavour=flavour))
    assert (found(flavour=flavour).status, found(flavour=flavour).fingerprint) == (
        "draft",
        edited.fingerprint,
    )
    assert HIDDEN[flavour].items() <= members_of(repository.text(hidden)).items()
    assert repository.text(hidden).endswith("---\n\nGood notes help a lot.\n")
    GIT.unpublish(found(flavour=flavour), access(flavour=flavour))
    assert repository.subjects()[2:] == ["Change", "Unpublish “Garden notes”"]


@pytest.mark.parametrize("flavour", PATHS)
def test_a_deleted_post_leaves_nothing_behind_and_a_second_time_is_no_error(
    repository: Repository, flavour: str
) -> None:
    remote = GIT.create(document(visibility="draft"), access(flavour=flavour))
    GIT.delete(remote, access(flavour=flavour))
    assert repository.files() == ["README.md"]
    assert GIT.find(KNOWN, access(flavour=flavour)) is None
    GIT.delete(remote, access(flavour=flavour))
    assert repository.subjects()[-1] == "Remove “Garden notes”"


def test_creating_a_post_again_or_writing_the_same_makes_no_commit(repository: Repository) -> None:
    first = GIT.create(document(), access())
    assert GIT.create(document(), access()) == first
    assert GIT.write(document(), first, access()) == first
    assert repository.subjects() == ["Begin", "Add “Garden notes”"]


def test_a_changed_slug_moves_the_post_and_its_image_and_keeps_its_date(repository: Repository) -> None:
    for_jekyll = access(flavour="jekyll")
    first = GIT.create(document(), for_jekyll)
    changed = document(slug="notes", digest="b" * 64, is_update=True, date="2026-03-05T00:00:00.000Z")
    moved = GIT.write(changed, first, for_jekyll)
    assert repository.files() == ["README.md", "_posts/2026-03-04-notes.md", "assets/images/notes-1.png"]
    assert (moved.external_id, moved.digest) == ("_posts/2026-03-04-notes.md", "b" * 64)
    assert found(flavour="jekyll") == moved
    assert repository.subjects()[-1] == "Update “Garden notes”"


def test_a_draft_that_goes_live_gets_the_date_of_that_day(repository: Repository) -> None:
    draft = GIT.create(document(visibility="draft"), access(flavour="jekyll"))
    GIT.write(document(date="2026-04-01T00:00:00.000Z"), draft, access(flavour="jekyll"))
    assert "_posts/2026-04-01-garden-notes.md" in repository.files()
    assert "_posts/2026-03-04-garden-notes.md" not in repository.files()


def test_a_new_image_replaces_the_former_one_and_no_other_file(
    repository: Repository, tmp_path: Path
) -> None:
    first = GIT.create(document(), access())
    clone = clone_of(repository.path, tmp_path / "clone")
    commit_in(clone, "content/posts/garden-notes/plan.png", "a plan")
    push(clone)
    GIT.write(document(digest="b" * 64, picture=None), first, access())
    assert repository.files()[1:] == [INDEX, "content/posts/garden-notes/plan.png"]


@pytest.mark.parametrize(
    ("flavour", "path", "address"),
    [
        ("hugo", "content/posts/garden-notes/garden-notes-0a1b2c77.png", "garden-notes-0a1b2c77.png"),
        ("astro", "src/content/blog/garden-notes-0a1b2c77.png", "./garden-notes-0a1b2c77.png"),
        ("jekyll", "assets/images/garden-notes-0a1b2c77.png", "/assets/images/garden-notes-0a1b2c77.png"),
        ("eleventy", "content/blog/garden-notes/garden-notes-0a1b2c77.png", "./garden-notes-0a1b2c77.png"),
    ],
)
def test_the_images_of_a_text_are_files_that_come_and_go_with_it(
    repository: Repository, flavour: str, path: str, address: str
) -> None:
    images = {12: Picture(b"a bed", "image/png", "", "0a1b2c77.png")}
    sent = document(content="![A bed](image:12)\n", images=images)
    first = GIT.create(sent, access(flavour=flavour))
    assert path in repository.files()
    assert first.external_id is not None
    assert f"![A bed]({address})" in repository.text(first.external_id)
    second = GIT.write(document(digest="b" * 64), first, access(flavour=flavour))
    assert path not in repository.files()
    assert any(each.endswith("garden-notes-1.png") for each in repository.files())
    third = GIT.write(sent, second, access(flavour=flavour))
    GIT.delete(third, access(flavour=flavour))
    assert [each for each in repository.files() if "garden-notes" in each] == []


def test_a_file_that_somebody_put_beside_the_images_stays(repository: Repository, tmp_path: Path) -> None:
    clone = clone_of(repository.path, tmp_path / "clone")
    theirs = "assets/images/garden-notes-plan.png"
    commit_in(clone, theirs, "a plan")
    push(clone)
    sent = document(content="![Plan](/assets/images/garden-notes-plan.png)\n")
    first = GIT.create(sent, access(flavour="jekyll"))
    changed = document(digest="b" * 64)
    GIT.delete(GIT.write(changed, first, access(flavour="jekyll")), access(flavour="jekyll"))
    assert theirs in repository.files()


@pytest.mark.parametrize(
    ("flavour", "path"),
    [
        ("hugo", "content/posts/garden-notes.md"),
        ("hugo", INDEX),
        ("hugo", "content/posts/garden-notes.html"),
        ("astro", "src/content/blog/garden-notes.mdx"),
        ("jekyll", "_posts/2020-01-01-garden-notes.markdown"),
        ("eleventy", "content/blog/garden-notes.njk"),
    ],
)
def test_a_slug_that_another_file_has_is_taken(
    repository: Repository, tmp_path: Path, flavour: str, path: str
) -> None:
    clone = clone_of(repository.path, tmp_path / "clone")
    commit_in(clone, path, "Somebody else's\n")
    push(clone)
    problem = problem_of(flavour=flavour)
    assert (problem.failure.code, problem.certainty) == ("TARGET_SLUG_TAKEN", NOT_DELIVERED)
    assert problem.failure.details == {"slug": "garden-notes", "path": path}
    assert repository.text(path) == "Somebody else's\n"
    assert repository.subjects() == ["Begin", "Change"]


def test_two_posts_with_one_slug_are_two_publications_and_the_second_is_refused(
    repository: Repository,
) -> None:
    GIT.create(document(publication_id="pub_" + "f" * 32), access())
    assert GIT.find(KNOWN, access()) is None
    assert problem_of().failure.code == "TARGET_SLUG_TAKEN"
    known = Reference(PUBLICATION_ID, "garden-notes", external_id=INDEX)
    assert GIT.find(known, access()) is None


def test_a_post_is_found_after_a_maintainer_renamed_its_file(repository: Repository, tmp_path: Path) -> None:
    first = GIT.create(document(), access())
    clone = clone_of(repository.path, tmp_path / "clone")
    git(clone, "mv", INDEX, "content/posts/renamed.md")
    git(clone, "commit", "-q", "-m", "Rename")
    push(clone)
    remote = GIT.find(Reference(PUBLICATION_ID, "garden-notes", external_id=first.external_id), access())
    assert remote is not None
    assert remote.external_id == "content/posts/renamed.md"
    GIT.create(document(), access())
    assert [path for path in repository.files() if path.endswith(".md")] == [
        "README.md", "content/posts/renamed.md"
    ]  # fmt: skip


def test_an_edit_there_is_noticed_and_never_overwritten_unseen(
    repository: Repository, tmp_path: Path
) -> None:
    first = GIT.create(document(), access())
    clone = clone_of(repository.path, tmp_path / "clone")
    commit_in(clone, INDEX, (clone / INDEX).read_text().replace("help", "do **help**"))
    push(clone)
    edited = found()
    assert edited.fingerprint != first.fingerprint
    assert edited.text == "<p>Good notes do <strong>help</strong>.</p>\n"
    with pytest.raises(PublishProblem) as caught:
        GIT.write(document(digest="b" * 64), first, access())
    assert (caught.value.failure.code, caught.value.certainty) == ("TARGET_POST_EDITED", NOT_DELIVERED)
    assert "<strong>help</strong>" in (caught.value.failure.details or {})["text_there"]
    assert "**help**" in repository.text(INDEX)
    assert GIT.write(document(digest="b" * 64), edited, access()).digest == "b" * 64
    assert "**help**" not in repository.text(INDEX)


@pytest.mark.parametrize(
    "text", ["Nothing but text.\n", "---\n: [\n---\nText\n", f"---\na: {PUBLICATION_ID}\n"]
)
def test_a_post_whose_front_matter_was_destroyed_is_still_there(
    repository: Repository, tmp_path: Path, text: str
) -> None:
    first = GIT.create(document(), access())
    clone = clone_of(repository.path, tmp_path / "clone")
    commit_in(clone, INDEX, text)
    push(clone)
    known = Reference(PUBLICATION_ID, "garden-notes", external_id=first.external_id)
    remote = GIT.find(known, access())
    assert remote is not None
    assert (remote.external_id, remote.digest) == (INDEX, "")
    assert GIT.write(document(), remote, access()).digest == "a" * 64


def test_the_date_of_the_document_is_the_date_of_the_post(repository: Repository) -> None:
    GIT.create(document(json_ld=[]), access())
    assert members_of(repository.text(INDEX))["date"].year >= 2026
    assert DATE.startswith("2026-03-04")
