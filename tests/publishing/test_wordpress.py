"""Posts at a WordPress site, made and changed: the look-alike, and in thorough runs a real one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.publishing.targets.base import (
    NOT_DELIVERED,
    UNKNOWN,
    Picture,
)
from app.publishing.targets.wordpress.kind import create, delete, unpublish, write
from tests.support.servers import Reply
from tests.support.wordpress import Blog
from tests.support.wordpress_documents import (
    PIXEL,
    PUBLICATION_ID,
    document,
    live_post,
    post_on,
    refused,
)


class TestCreating:
    def test_a_new_post_is_a_hidden_draft_with_everything_that_readers_see(self, wordpress: Blog) -> None:
        picture = Picture(PIXEL, "image/png", "Beds & paths", "garden-notes-1a2b.png")
        remote = create(
            document(tags=["R&D", "Garden notes"], picture=picture), wordpress.access(category="1")
        )
        post = post_on(wordpress, remote.external_id)
        assert (post["status"], post["slug"]) == ("draft", "garden-notes")
        assert post["categories"] == [1]
        assert len(post["tags"]) == 2
        item = wordpress.rest("GET", f"media/{post['featured_media']}")
        assert (item["slug"], item["alt_text"]) == ("garden-notes-1a2b", "Beds & paths")
        assert remote.status == "draft"
        assert remote.digest == "a" * 64
        assert (remote.title, remote.slug) == ("Garden & notes", "garden-notes")
        assert wordpress.posts("publish") == []

    def test_the_cover_and_the_tags_are_made_once(self, wordpress: Blog) -> None:
        picture = Picture(PIXEL, "image/png", "Beds", "garden-notes-77aa.png")
        wanted = document(tags=["Compost", "Soil"], picture=picture)
        first = post_on(wordpress, create(wanted, wordpress.access()).external_id)
        second = post_on(wordpress, create(wanted, wordpress.access()).external_id)
        assert first["featured_media"] == second["featured_media"] > 0
        assert first["tags"] == second["tags"]
        posted = [urlsplit(each.path).path for each in wordpress.gateway.requests if each.method == "POST"]
        assert len([path for path in posted if path.endswith("/wp/v2/media")]) == 1
        assert len([path for path in posted if path.endswith("/wp/v2/tags")]) == 2

    def test_an_image_of_the_text_is_uploaded_once_and_shown_where_the_site_has_it(
        self, wordpress: Blog
    ) -> None:
        images = {12: Picture(PIXEL, "image/png", "", "beds-77ab.png")}
        wanted = document("Look:\n\n![Two beds](image:12) ![Gone](image:13)", images=images)
        remote = write(wanted, create(wanted, wordpress.access()), wordpress.access())
        assert [each.method for each in wordpress.gateway.requests if "wp/v2/media" in each.path] == [
            "GET",
            "POST",
        ]
        write(replace(wanted, digest="b" * 64, is_update=True), remote, wordpress.access())
        (item,) = wordpress.rest("GET", "media?slug=beds-77ab")
        content = post_on(wordpress, remote.external_id)["content"]["raw"]
        assert f'<img src="{item["source_url"]}" alt="Two beds">' in content
        assert '<img alt="Gone">' in content
        posted = [urlsplit(each.path).path for each in wordpress.gateway.requests if each.method == "POST"]
        assert len([path for path in posted if "/wp/v2/media" in path]) == 1

    def test_a_tag_that_appears_between_the_look_and_its_making_is_used(self, wordpress: Blog) -> None:
        wordpress.rest("POST", "tags", name="Mulch")
        is_tag = "slug%5B%5D"

        def finds_nothing(_request: Any, _forward: Any) -> Reply:
            return Reply(200, {"Content-Type": "application/json"}, b"[]")

        wordpress.gateway.spoil_once(lambda request: is_tag in request.path, finds_nothing)
        post = post_on(wordpress, create(document(tags=["mulch"]), wordpress.access()).external_id)
        assert len(post["tags"]) == 1

    def test_line_breaks_and_the_marker_add_nothing_that_readers_see(self, wordpress: Blog) -> None:
        remote = create(document(), wordpress.access())
        rendered = post_on(wordpress, remote.external_id)["content"]["rendered"]
        assert "First line &amp; more second line" in rendered
        assert "<br" not in rendered
        assert "<p><!--" not in rendered
        assert "code\n\n  kept" in rendered
        assert "[gallery]" not in rendered
        assert f"publication:{PUBLICATION_ID} sha256:{'a' * 64}" in rendered

    def test_signs_of_html_in_title_and_description_are_text(self, wordpress: Blog) -> None:
        remote = create(
            document(title="a < b & <i>c", description="<b> & d"), wordpress.access("administrator")
        )
        post = post_on(wordpress, remote.external_id)
        assert remote.title == "a < b & <i>c"
        assert "<i>" not in post["title"]["rendered"]
        assert "<b>" not in post["excerpt"]["rendered"]

    def test_a_slug_that_is_taken_is_reported(self, wordpress: Blog) -> None:
        wordpress.rest("POST", "posts", title="Other", content="x", slug="garden-notes", status="publish")
        assert create(document(), wordpress.access()).slug == "garden-notes-2"

    def test_an_address_of_a_page_is_taken_because_readers_would_get_the_page(self, wordpress: Blog) -> None:
        page = wordpress.rest("POST", "pages", title="x", content="x", slug="garden-notes", status="publish")
        other = document(slug="other", visibility="draft")
        draft = create(other, wordpress.access())
        live = write(
            document(slug="third"), create(document(slug="third"), wordpress.access()), wordpress.access()
        )
        problems = [
            refused(create, document(), wordpress.access()),
            refused(write, document(), draft, wordpress.access()),
            refused(write, document(is_update=True), live, wordpress.access()),
        ]
        wordpress.rest("DELETE", f"pages/{page['id']}?force=true")
        for problem in problems:
            assert (problem.failure.code, problem.certainty) == ("TARGET_SLUG_TAKEN", NOT_DELIVERED)
        assert sorted(post["slug"] for post in wordpress.posts()) == ["other", "third"]

    def test_a_slug_that_wordpress_only_spells_otherwise_is_not_taken(self, wordpress: Blog) -> None:
        remote = create(document(slug="-garden--notes-"), wordpress.access())
        assert remote.slug == "-garden--notes-"
        assert post_on(wordpress, remote.external_id)["slug"] == "garden-notes"

    @pytest.mark.parametrize("category", ["Nowhere", "99999", "Uncategorized, Nowhere"])
    def test_a_category_that_cannot_be_used_is_named(self, wordpress: Blog, category: str) -> None:
        problem = refused(create, document(), wordpress.access(category=category))
        assert (problem.failure.code, problem.certainty) == ("TARGET_FORBIDDEN", NOT_DELIVERED)
        assert category.rpartition(", ")[2] in problem.failure.message
        assert wordpress.posts() == []

    def test_a_category_is_made_if_the_account_may(self, wordpress: Blog) -> None:
        there = wordpress.access("administrator", category="Garden diary, uncategorized")
        first = post_on(wordpress, create(document(), there).external_id)
        second = post_on(wordpress, create(document(), there).external_id)
        assert len(first["categories"]) == 2
        assert first["categories"] == second["categories"]

    def test_an_account_that_may_not_write_posts_is_reported(self, wordpress: Blog) -> None:
        problem = refused(create, document(), wordpress.access("subscriber"))
        assert (problem.failure.code, problem.certainty) == ("TARGET_FORBIDDEN", NOT_DELIVERED)
        assert "Sorry, you are not allowed to create posts as this user." in problem.failure.message


class TestWriting:
    def test_a_draft_goes_live_under_its_id_however_often_it_is_published(self, wordpress: Blog) -> None:
        remote = create(document(), wordpress.access())
        live = write(document(), remote, wordpress.access())
        again = write(document(), live, wordpress.access())
        assert live.status == again.status == "live"
        assert live.external_id == again.external_id == remote.external_id
        assert live.url == again.url == f"{wordpress.url}/garden-notes/"
        assert len(wordpress.posts()) == 1

    def test_an_update_replaces_text_cover_and_slug_and_nothing_that_belongs_to_the_site(
        self, wordpress: Blog
    ) -> None:
        live = write(document(), create(document(tags=["Beds"]), wordpress.access()), wordpress.access())
        tags = post_on(wordpress, live.external_id)["tags"]
        picture = Picture(PIXEL, "image/png", "New", "garden-notes-new.png")
        changed = document(
            "Quite another text.", title="Changed", slug="changed", digest="b" * 64, is_update=True,
            picture=picture, tags=["Other"],
        )  # fmt: skip
        remote = write(changed, live, wordpress.access())
        post = post_on(wordpress, live.external_id)
        assert (remote.digest, remote.title, remote.slug, remote.status) == (
            "b" * 64,
            "Changed",
            "changed",
            "live",
        )
        assert "Quite another text." in post["content"]["raw"]
        assert post["tags"] == tags
        assert post["featured_media"] > 0
        assert remote.fingerprint != live.fingerprint

    def test_a_hidden_draft_stays_hidden(self, wordpress: Blog) -> None:
        hidden = document(visibility="draft")
        remote = write(hidden, create(hidden, wordpress.access()), wordpress.access())
        assert remote.status == "draft"
        assert wordpress.posts("publish") == []

    def test_a_draft_whose_review_is_pending_there_stays_pending(self, wordpress: Blog) -> None:
        remote = create(document(visibility="draft"), wordpress.access())
        wordpress.rest("POST", f"posts/{remote.external_id}", status="pending")
        changed = document("Changed.", visibility="draft", digest="b" * 64)
        assert write(changed, remote, wordpress.access()).digest == "b" * 64
        assert post_on(wordpress, remote.external_id)["status"] == "pending"

    @pytest.mark.parametrize(("is_update", "certainty"), [(False, NOT_DELIVERED), (True, UNKNOWN)])
    def test_a_post_that_the_site_holds_back_is_not_called_live(
        self, wordpress: Blog, is_update: bool, certainty: str
    ) -> None:
        remote = create(document(), wordpress.access())
        held_back = {**post_on(wordpress, remote.external_id), "status": "pending"}
        answer = Reply(200, {}, json.dumps(held_back).encode())
        wordpress.gateway.spoil_once(lambda each: each.method == "POST", lambda _request, _forward: answer)
        problem = refused(write, document(is_update=is_update), remote, wordpress.access())
        code = "PUBLISH_UNCLEAR" if is_update else "PUBLISH_REJECTED"
        assert (problem.failure.code, problem.certainty) == (code, certainty)
        assert "“pending”" in problem.failure.message

    def test_an_account_that_may_not_publish_leaves_a_draft(self, wordpress: Blog) -> None:
        there = wordpress.access("contributor")
        problem = refused(write, document(), create(document(), there), there)
        assert (problem.failure.code, problem.certainty) == ("TARGET_FORBIDDEN", NOT_DELIVERED)
        assert [post["status"] for post in wordpress.posts()] == ["draft"]

    def test_a_post_that_somebody_removed_for_good_is_rejected_in_wordpress_words(
        self, wordpress: Blog
    ) -> None:
        remote = create(document(), wordpress.access())
        wordpress.rest("DELETE", f"posts/{remote.external_id}?force=true")
        problem = refused(write, document(), remote, wordpress.access())
        assert (problem.failure.code, problem.certainty) == ("PUBLISH_REJECTED", NOT_DELIVERED)
        assert problem.failure.details == {
            "address": f"{wordpress.url}/wp-json/wp/v2/posts/{remote.external_id}",
            "status": 404,
            "answer": "Invalid post ID.",
        }


class TestUnpublishing:
    def test_an_unpublished_post_is_a_draft_that_readers_do_not_see(self, wordpress: Blog) -> None:
        live = live_post(wordpress.access())
        unpublish(live, wordpress.access())
        unpublish(live, wordpress.access())
        assert [post["status"] for post in wordpress.posts()] == ["draft"]

    def test_a_post_that_is_gone_is_unpublished(self, wordpress: Blog) -> None:
        live = live_post(wordpress.access())
        wordpress.rest("DELETE", f"posts/{live.external_id}")
        unpublish(live, wordpress.access())

    def test_a_site_that_keeps_the_post_live_is_not_believed(self, wordpress: Blog) -> None:
        live = live_post(wordpress.access())
        shown = post_on(wordpress, live.external_id)

        def says_draft(_request: Any, _forward: Any) -> Reply:
            return Reply(200, {}, json.dumps({**shown, "status": "draft"}).encode())

        wordpress.gateway.spoil_once(lambda request: request.method == "POST", says_draft)
        problem = refused(unpublish, live, wordpress.access())
        assert (problem.failure.code, problem.certainty) == ("UNPUBLISH_NOT_CONFIRMED", UNKNOWN)

    def test_a_draft_that_readers_still_get_is_not_believed(self, wordpress: Blog) -> None:
        live = live_post(wordpress.access())
        is_reader = lambda each: "authorization" not in each.headers and "/posts/" in each.path  # noqa: E731
        wordpress.gateway.spoil_once(is_reader, lambda _request, _forward: Reply(200, {}, b"{}"))
        assert refused(unpublish, live, wordpress.access()).failure.code == "UNPUBLISH_NOT_CONFIRMED"


class TestDeleting:
    def test_a_draft_of_ours_is_removed_for_good(self, wordpress: Blog) -> None:
        remote = create(document(), wordpress.access())
        delete(remote, wordpress.access())
        delete(remote, wordpress.access())
        assert wordpress.posts() == []

    def test_a_live_post_is_kept(self, wordpress: Blog) -> None:
        live = live_post(wordpress.access())
        assert refused(delete, live, wordpress.access()).certainty == NOT_DELIVERED
        assert len(wordpress.posts("publish")) == 1

    def test_a_draft_that_is_not_ours_is_kept(self, wordpress: Blog) -> None:
        remote = create(document(), wordpress.access())
        wordpress.rest("POST", f"posts/{remote.external_id}", content="Somebody's own text.")
        refused(delete, remote, wordpress.access())
        assert len(wordpress.posts()) == 1
