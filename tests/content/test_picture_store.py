"""Pictures of texts and covers in a bucket: stored, read, moved and removed, with a real server."""

from __future__ import annotations

import dataclasses
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO

import pytest
from flask import Flask
from sqlalchemy import select

from app.content.model import BlogPost, BlogPostCover, ProjectImage
from app.content.posts import picture_upkeep
from app.content.posts.covers import cover_bytes, remove_cover, upload_cover
from app.content.posts.images import add_image, image_bytes, remove_image
from app.failures import ServiceFailure
from app.infra.db import db
from app.projects.service import find_project
from app.publishing.removal import remove_drafts, undo_removal
from tests.api.conftest import code, customer, member
from tests.support.bucket import BucketServer
from tests.support.pictures import picture
from tests.support.publishing import alice_project, post_of

GREEN = (0, 200, 0)


@pytest.fixture
def settings_overrides(bucket_server: BucketServer) -> dict[str, str]:
    return bucket_server.settings()


@pytest.fixture
def project_id(db_app: Flask) -> Iterator[int]:
    yield alice_project().id
    db.session.remove()


@pytest.fixture
def post_id(project_id: int) -> int:
    return post_of(find_project(project_id)).id


def the_post(post_id: int) -> BlogPost:
    """The post as it is now: reading a picture ends the transaction."""
    return db.session.get_one(BlogPost, post_id)


def setting(patch: pytest.MonkeyPatch, app: Flask, **changed: str) -> None:
    """Change settings of the application for the rest of the test."""
    patch.setitem(app.extensions, "settings", dataclasses.replace(app.extensions["settings"], **changed))


def added(project_id: int, data: bytes | None = None) -> ProjectImage:
    return add_image(find_project(project_id), data or picture(), "image/png", alt="A wall", file_name=None)[
        0
    ]


def test_a_picture_is_in_the_bucket_and_its_row_names_it(
    project_id: int, bucket_server: BucketServer
) -> None:
    image = added(project_id)
    assert image.data is None
    assert bucket_server.stored() == [image.object_key]
    assert str(image.object_key).startswith(f"tests/ours/images/{image.content_hash}-")
    assert len(image_bytes(image)) == image.size
    again = added(project_id)
    assert again.id == image.id
    remove_image(again)
    assert bucket_server.stored() == []


def test_a_cover_is_replaced_and_taken_back_with_its_object(
    post_id: int, bucket_server: BucketServer
) -> None:
    generated = cover_bytes(the_post(post_id))
    upload_cover(the_post(post_id), picture(), "image/png")
    (first,) = bucket_server.stored()
    upload_cover(the_post(post_id), picture(colour=GREEN), "image/png")
    (second,) = bucket_server.stored()
    assert first != second
    assert cover_bytes(the_post(post_id)) == bucket_server.bucket().get(second)
    remove_cover(the_post(post_id))
    assert bucket_server.stored() == []
    assert cover_bytes(the_post(post_id)) == generated


def test_nothing_is_saved_while_the_bucket_cannot_be_used(
    db_app: Flask, post_id: int, project_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = the_post(post_id).version
    setting(monkeypatch, db_app, s3_bucket="another")
    for store in (lambda: added(project_id), lambda: upload_cover(the_post(post_id), picture(), "image/png")):
        with pytest.raises(ServiceFailure, match="IMAGE_STORAGE_FAILED"):
            store()
    assert db.session.scalars(select(ProjectImage)).all() == []
    assert db.session.scalars(select(BlogPostCover)).all() == []
    assert the_post(post_id).version == version


def test_a_picture_that_was_changed_in_the_bucket_is_not_shown(
    project_id: int, bucket_server: BucketServer
) -> None:
    image = added(project_id)
    bucket_server.bucket().put(str(image.object_key), picture(colour=GREEN), "image/png")
    with pytest.raises(ServiceFailure, match="IMAGE_STORAGE_FAILED"):
        image_bytes(image)


def test_objects_without_a_row_are_removed_a_day_later(
    project_id: int, post_id: int, bucket_server: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    added(project_id)
    upload_cover(the_post(post_id), picture(colour=GREEN), "image/png")
    kept = bucket_server.stored()
    bucket, orphan = bucket_server.bucket(), f"tests/ours/images/{'0' * 64}-{'0' * 16}"
    for key in (orphan, f"tests/theirs/{orphan}", "tests/ours/images/a.png"):
        bucket.put(key, b"x", "image/png")
    assert picture_upkeep.prune_objects() == 0
    # The cover of a removed draft is named by what is packed of it.
    removal, _ = remove_drafts(find_project(project_id), [post_id])
    monkeypatch.setattr(picture_upkeep, "_KEPT_WITHOUT_ROW", timedelta(seconds=-5))
    assert picture_upkeep.prune_objects() == 1
    assert orphan not in bucket_server.stored()
    assert set(kept) < set(bucket_server.stored())
    assert len(bucket_server.stored()) == len(kept) + 2
    undo_removal(find_project(project_id), removal)
    assert cover_bytes(the_post(post_id)) == bucket.get(
        db.session.scalars(select(BlogPostCover.object_key)).one() or ""
    )


def test_a_move_ends_anywhere_and_goes_on(
    db_app: Flask,
    project_id: int,
    post_id: int,
    bucket_server: BucketServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    setting(monkeypatch, db_app, image_storage="database")
    added(project_id)
    added(project_id, picture(colour=GREEN))
    upload_cover(the_post(post_id), picture(), "image/png")
    assert bucket_server.stored() == []
    setting(monkeypatch, db_app, image_storage="s3")
    assert next(picture_upkeep.move_pictures()).moved == 1
    assert len(bucket_server.stored()) == 1
    assert [move.moved for move in picture_upkeep.move_pictures()] == [1, 2]
    assert list(picture_upkeep.move_pictures()) == []
    for row in (*db.session.scalars(select(ProjectImage)), *db.session.scalars(select(BlogPostCover))):
        assert row.data is None
        assert row.object_key in bucket_server.stored()
    setting(monkeypatch, db_app, image_storage="database")
    moved = db_app.test_cli_runner().invoke(args=["images", "move"])
    assert "3 pictures moved to the database." in moved.output
    assert bucket_server.stored() == []
    images = db.session.scalars(select(ProjectImage)).all()
    assert [len(image_bytes(image)) for image in images] == [image.size for image in images]


def test_a_move_names_a_picture_that_the_bucket_has_lost_and_goes_on(
    db_app: Flask, project_id: int, bucket_server: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, spoiled, kept = (added(project_id, picture(colour=(shade, 0, 0))) for shade in (10, 20, 30))
    bucket = bucket_server.bucket()
    bucket.remove(lost.object_key or "")
    bucket.put(spoiled.object_key or "", b"another picture", "image/png")
    setting(monkeypatch, db_app, image_storage="database")
    moved = db_app.test_cli_runner().invoke(args=["images", "move"])
    for row in (lost, spoiled):
        assert f"project_images {row.id}: the bucket has lost its picture" in moved.output
    assert "1 pictures moved to the database." in moved.output
    assert moved.exit_code == 1
    in_rows = select(ProjectImage.id).where(ProjectImage.object_key.is_(None))
    assert db.session.scalars(in_rows).all() == [kept.id]


def test_the_doctor_tries_the_bucket(
    db_app: Flask, bucket_server: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy = db_app.test_cli_runner().invoke(args=["doctor"])
    assert "ok    bucket: objects are stored, read, listed and removed" in healthy.output
    assert bucket_server.stored() == []
    setting(monkeypatch, db_app, s3_access_key_id="AKIANOBODY")
    assert (
        "TO DO bucket: check the server, the key" in db_app.test_cli_runner().invoke(args=["doctor"]).output
    )


def test_pictures_of_the_bucket_are_sent_by_the_service_alone(
    app: Flask, bucket_server: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = customer(app, "alice")
    place = f"/projects/{alice.project()}"
    image = member(alice.send("POST", f"{place}/images", data=picture(), content_type="image/png"), "image")
    with app.app_context():
        post = post_of(find_project(image["project_id"]), content=f"![A wall](image:{image['id']})")
        export = f"{place}/blog-posts/{post.id}/export?format="
    (key,) = bucket_server.stored()
    assert alice.get(f"{place}/images/{image['id']}/file").data == bucket_server.bucket().get(key)
    archive = zipfile.ZipFile(BytesIO(alice.get(f"{export}zip").data))
    assert bucket_server.bucket().get(key) in [archive.read(name) for name in archive.namelist()]
    assert '<img src="data:image/png;base64,' in alice.get(f"{export}html").text
    assert key not in str(image)

    setting(monkeypatch, app, s3_bucket="another")
    other = picture(colour=GREEN)
    for answer in (
        alice.get(f"{place}/images/{image['id']}/file"),
        alice.get(f"{export}html"),
        alice.send("POST", f"{place}/images", data=other, content_type="image/png"),
    ):
        assert code(answer) == (503, "IMAGE_STORAGE_FAILED")
    assert member(alice.get(f"{place}/images"), "pagination")["total"] == 1
