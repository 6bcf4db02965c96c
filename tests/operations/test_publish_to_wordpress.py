"""Posts of a project at a WordPress site, from the job to what its readers see."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from app.content.model import ProjectImage
from app.content.posts.images import add_image, image_bytes, sent_name
from app.infra.db import db
from app.projects.model import Project
from app.publishing import service
from app.publishing.model import PublishTarget
from tests.support.gateway import FAULTS
from tests.support.pictures import picture
from tests.support.publishing import failure_code, fresh, post_of, publication_of, publish, state
from tests.support.servers import Reply
from tests.support.wordpress import Blog

pytestmark = pytest.mark.usefixtures("no_waiting")


@pytest.fixture
def settings_overrides(wordpress: Blog) -> dict[str, str]:
    return {"FETCH_ALLOW": wordpress.gateway.address}


@pytest.fixture
def target(project: Project, wordpress: Blog) -> PublishTarget:
    settings = {"url": wordpress.url, "username": "author", "category": "Uncategorized"}
    return service.add_target(project, "wordpress", "Blog", settings, wordpress.passwords["author"])[0]


@pytest.fixture
def post_id(project: Project, target: PublishTarget) -> int:
    return post_of(project).id


def change(post_id: int, **values: Any) -> None:
    post = fresh(post_id)
    for name, value in values.items():
        setattr(post, name, value)
    post.version += 1
    db.session.commit()


def only_post(wordpress: Blog) -> dict[str, Any]:
    (post,) = wordpress.posts()
    return post


def test_a_hidden_draft_goes_live_and_is_updated_under_one_id(wordpress: Blog, post_id: int) -> None:
    hidden = publish(post_id, visibility="draft")
    assert (hidden.status, state(post_id)) == ("succeeded", ("draft", "draft"))
    assert only_post(wordpress)["status"] == "draft"
    live = publish(post_id)
    assert (live.status, state(post_id)) == ("succeeded", ("live", "published"))
    assert live.result is not None
    result = dict(live.result)
    assert result["url"] == f"{wordpress.url}/garden-notes/" == only_post(wordpress)["link"]
    change(post_id, content="The notes were written anew, all of them.\n", description="Written anew.")
    assert publish(post_id, override_quality_gate=True, override_reason="short").status == "succeeded"
    post = only_post(wordpress)
    assert "written anew" in post["content"]["raw"]
    assert post["excerpt"]["raw"] == "Written anew."
    assert str(post["id"]) == publication_of(post_id).external_id == result["external_id"]


def test_the_cover_is_the_featured_image(wordpress: Blog, post_id: int) -> None:
    publish(post_id)
    item = wordpress.rest("GET", f"media/{only_post(wordpress)['featured_media']}")
    assert item["slug"].startswith("garden-notes")
    assert item["alt_text"]


def test_an_image_of_the_text_is_uploaded_once_although_its_answer_was_lost(
    wordpress: Blog, project: Project, post_id: int
) -> None:
    image, _ = add_image(
        project, picture(), "image/png", alt="A bed", file_name=f"bed {uuid.uuid4().hex}.png"
    )
    slug = sent_name(image).removesuffix(".png")
    change(post_id, content=f"![A bed](image:{image.id})\n\n{fresh(post_id).content}")
    is_upload = lambda request: "bed-" in request.headers.get("content-disposition", "")  # noqa: E731
    wordpress.gateway.spoil_once(is_upload, FAULTS["answer dropped after the write"])
    assert publish(post_id).status == "succeeded"
    (item,) = wordpress.rest("GET", f"media?slug={slug}")
    assert f'<img src="{item["source_url"]}" alt="A bed">' in only_post(wordpress)["content"]["raw"]
    assert len([request for request in wordpress.gateway.requests if is_upload(request)]) == 1


def test_a_picture_that_cannot_be_loaded_fails_the_job_before_anything_is_sent(
    wordpress: Blog, project: Project, post_id: int
) -> None:
    image, _ = add_image(project, picture(), "image/png", alt="A bed", file_name=None)
    data = image_bytes(image)
    change(post_id, content=f"![A bed](image:{image.id})\n\n{fresh(post_id).content}")
    # A bucket has it, and none is set.
    store = db.update(ProjectImage)
    db.session.execute(store.values(data=None, object_key="images/a"))
    db.session.commit()
    assert failure_code(publish(post_id)) == "IMAGE_STORAGE_FAILED"
    assert publication_of(post_id).state == "failed"
    assert wordpress.posts("any") == []
    db.session.execute(store.values(data=data, object_key=None))
    db.session.commit()
    assert publish(post_id).status == "succeeded"


def test_a_text_that_was_edited_there_is_replaced_only_when_asked(wordpress: Blog, post_id: int) -> None:
    publish(post_id)
    wordpress.rest("POST", f"posts/{only_post(wordpress)['id']}", title="A better title")
    change(post_id, description="Changed here, too.")
    refused = publish(post_id)
    assert failure_code(refused) == "TARGET_POST_EDITED"
    assert refused.failure is not None
    assert refused.failure["details"]["title_there"] == "A better title"
    assert only_post(wordpress)["title"]["raw"] == "A better title"
    assert publish(post_id, overwrite=True).status == "succeeded"
    assert only_post(wordpress)["title"]["raw"] == fresh(post_id).title


@pytest.mark.parametrize(
    ("option", "code"), [("rest_off", "TARGET_API_NOT_FOUND"), ("no_application_passwords", "TARGET_AUTH")]
)
def test_a_site_that_closed_its_api_leaves_the_post_a_draft(
    wordpress: Blog, post_id: int, option: str, code: str
) -> None:
    wordpress.options.add(option)
    job = publish(post_id)
    assert failure_code(job) == code
    assert job.failure is not None
    assert job.failure["details"]["address"].startswith(wordpress.url)
    assert fresh(post_id).status == "draft"
    wordpress.options.clear()
    assert publish(post_id).status == "succeeded"
    assert only_post(wordpress)["status"] == "publish"


def test_a_private_blog_succeeds_with_a_remark(wordpress: Blog, post_id: int) -> None:
    is_page = lambda request: request.path == "/garden-notes/"  # noqa: E731
    wordpress.gateway.spoil_once(is_page, lambda *_: Reply(401))
    job = publish(post_id)
    assert (job.status, state(post_id)) == ("succeeded", ("live", "published"))
    assert job.result is not None
    assert job.result["public_url_status"] == 401
    assert job.result["warnings"] == [publication_of(post_id).public_remark]
    assert "is the site private?" in job.result["warnings"][0]
    assert len([request for request in wordpress.gateway.requests if is_page(request)]) == 1
    change(post_id, title="Garden notes, again")
    again = publish(post_id)
    assert again.result is not None
    assert (again.result["public_url_status"], again.result["warnings"]) == (200, [])
    assert publication_of(post_id).public_remark is None
