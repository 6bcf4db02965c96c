"""Posts whose pictures are in a bucket, from the job to what the readers of a blog see."""

from __future__ import annotations

import pytest

from app.content.model import BlogPost
from app.content.posts.covers import upload_cover
from app.content.posts.images import add_image, sent_name
from app.infra.db import db
from app.projects.model import Project
from app.publishing import service
from tests.support.bucket import BucketServer
from tests.support.pictures import picture
from tests.support.publishing import fresh, post_of, publish
from tests.support.wordpress import Blog

pytestmark = pytest.mark.usefixtures("no_waiting")


@pytest.fixture
def settings_overrides(wordpress: Blog, bucket_server: BucketServer) -> dict[str, str]:
    return bucket_server.settings(FETCH_ALLOW=wordpress.gateway.address)


def test_a_post_is_published_with_its_pictures_and_published_again(
    wordpress: Blog, project: Project, bucket_server: BucketServer
) -> None:
    settings = {"url": wordpress.url, "username": "author"}
    service.add_target(project, "wordpress", "Blog", settings, wordpress.passwords["author"])
    image, _ = add_image(project, picture(), "image/png", alt="A bed", file_name="bed.png")
    slug, reference = sent_name(image).removesuffix(".png"), f"image:{image.id}"
    post_id = post_of(project).id
    upload_cover(db.session.get_one(BlogPost, post_id), picture("WEBP"), "image/webp", "A wall")
    post = fresh(post_id)
    post.content = f"![A bed]({reference})\n\n{post.content}"
    db.session.commit()
    assert len(bucket_server.stored()) == 2

    for title in ("A first title", "A second title"):
        post = fresh(post_id)
        post.title, post.version = title, post.version + 1
        db.session.commit()
        assert publish(post_id).status == "succeeded"
    (there,) = wordpress.posts("publish")
    assert there["title"]["raw"] == "A second title"
    (item,) = wordpress.rest("GET", f"media?slug={slug}")
    assert f'<img src="{item["source_url"]}" alt="A bed">' in there["content"]["raw"]
    assert wordpress.rest("GET", f"media/{there['featured_media']}")["alt_text"] == "A wall"
