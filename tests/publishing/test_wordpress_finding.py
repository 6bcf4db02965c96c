"""Posts are found again at a WordPress site, and edits of them are noticed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.infra.clock import utc_now
from app.publishing.targets import http_calls
from app.publishing.targets.base import (
    UNKNOWN,
    RemotePost,
)
from app.publishing.targets.wordpress import lookup
from app.publishing.targets.wordpress.kind import create, find
from app.publishing.targets.wordpress.posts import SLUG_VARIANTS
from tests.support.wordpress import Blog
from tests.support.wordpress_documents import (
    document,
    live_post,
    post_on,
    reference,
    refused,
)


class TestFinding:
    @pytest.fixture
    def remote(self, wordpress: Blog) -> RemotePost:
        return create(document(), wordpress.access())

    @pytest.mark.parametrize("options", [set(), {"no_search"}, {"plain_permalinks"}], ids=str)
    def test_a_post_is_found_by_its_slug(
        self, wordpress: Blog, remote: RemotePost, options: set[str]
    ) -> None:
        wordpress.options |= options
        assert find(reference(), wordpress.access()) == replace(remote, url=remote.url)

    def test_a_post_is_found_under_a_slug_that_wordpress_changed(
        self, wordpress: Blog, remote: RemotePost
    ) -> None:
        wordpress.options.add("no_search")
        other = replace(document(), publication_id="pub_" + "9" * 32)
        number = create(other, wordpress.access()).external_id
        found = find(
            reference(publication_id="pub_" + "9" * 32, began_at=datetime.now(UTC) + timedelta(days=1)),
            wordpress.access(),
        )
        assert found is not None
        assert (found.external_id, found.slug) == (number, "garden-notes-2")
        assert SLUG_VARIANTS == 9

    def test_a_post_is_found_in_the_list_of_the_account(self, wordpress: Blog, remote: RemotePost) -> None:
        wordpress.options.add("no_search")
        wordpress.rest("POST", f"posts/{remote.external_id}", slug="renamed-by-somebody")
        found = find(reference(), wordpress.access())
        assert found is not None
        assert found.external_id == remote.external_id

    def test_a_site_whose_clock_is_behind_finds_it_too(
        self, wordpress: Blog, remote: RemotePost, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        wordpress.options.add("no_search")
        wordpress.rest("POST", f"posts/{remote.external_id}", slug="renamed-by-somebody")
        hour = timedelta(hours=1)
        monkeypatch.setattr(http_calls, "utc_now", lambda: utc_now() + hour)
        found = find(reference(began_at=utc_now() + hour), wordpress.access())
        assert found is not None
        assert found.external_id == remote.external_id

    def test_an_account_that_changes_very_many_posts_gives_no_clear_answer(
        self, wordpress: Blog, remote: RemotePost, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lookup, "_PAGE_SIZE", 1)
        monkeypatch.setattr(lookup, "_MOST_PAGES", 1)
        create(document(), wordpress.access())
        problem = refused(find, reference(publication_id="pub_" + "6" * 32), wordpress.access())
        assert (problem.failure.code, problem.certainty) == ("PUBLISH_ENDPOINT_FAILED", UNKNOWN)

    def test_a_post_is_found_by_search_as_the_last_way(self, wordpress: Blog, remote: RemotePost) -> None:
        wordpress.rest("POST", f"posts/{remote.external_id}", slug="renamed-by-somebody")
        found = find(reference(began_at=datetime.now(UTC) + timedelta(days=1)), wordpress.access())
        assert found is not None
        assert found.external_id == remote.external_id

    def test_a_post_of_another_publication_is_not_found(self, wordpress: Blog, remote: RemotePost) -> None:
        assert find(reference(publication_id="pub_" + "8" * 32), wordpress.access()) is None

    def test_of_copies_the_oldest_is_the_post(self, wordpress: Blog, remote: RemotePost) -> None:
        content = post_on(wordpress, remote.external_id)["content"]["raw"]
        wordpress.rest("POST", "posts", role="author", title="Copy", content=content, slug="garden-notes")
        found = find(reference(), wordpress.access())
        assert found is not None
        assert found.external_id == remote.external_id

    def test_a_known_post_is_found_by_its_id_whatever_its_slug_and_text(
        self, wordpress: Blog, remote: RemotePost
    ) -> None:
        wordpress.rest("POST", f"posts/{remote.external_id}", slug="else", content="<p>Written anew.</p>")
        found = find(reference(external_id=remote.external_id), wordpress.access())
        assert found is not None
        assert (found.digest, found.text) == ("", "<p>Written anew.</p>")

    def test_an_id_that_is_now_another_publications_does_not_count(
        self, wordpress: Blog, remote: RemotePost
    ) -> None:
        other = reference(publication_id="pub_" + "7" * 32, external_id=remote.external_id)
        assert find(other, wordpress.access()) is None

    @pytest.mark.parametrize("how", ["?force=true", ""], ids=["removed", "in the trash"])
    def test_a_post_that_is_gone_is_not_found(self, wordpress: Blog, remote: RemotePost, how: str) -> None:
        wordpress.rest("DELETE", f"posts/{remote.external_id}{how}")
        assert find(reference(external_id=remote.external_id), wordpress.access()) is None
        assert find(reference(), wordpress.access()) is None

    @pytest.mark.parametrize("external_id", [None, "99999"])
    def test_credentials_that_do_not_work_give_no_clear_answer(
        self, wordpress: Blog, external_id: str | None
    ) -> None:
        problem = refused(find, reference(external_id=external_id), wordpress.access(password="wrong"))
        assert problem.failure.code == "TARGET_AUTH"

    def test_a_post_of_another_author_is_not_called_gone(self, wordpress: Blog) -> None:
        number = wordpress.rest("POST", "posts", title="x", content="x")["id"]
        problem = refused(find, reference(external_id=str(number)), wordpress.access())
        assert problem.failure.code == "TARGET_FORBIDDEN"


class TestEditsThere:
    @pytest.mark.parametrize(
        "change",
        [
            {"title": "Better title"}, {"excerpt": "Better"}, {"content": "<p>First line changed.</p>"},
            {"content": '<p>First line &amp; <a href="https://alice.example/">more</a> second line</p>'},
        ],
    )  # fmt: skip
    def test_an_edit_changes_the_fingerprint(self, wordpress: Blog, change: dict[str, str]) -> None:
        live = live_post(wordpress.access())
        wordpress.rest("POST", f"posts/{live.external_id}", **change)
        found = find(reference(external_id=live.external_id), wordpress.access())
        assert found is not None
        assert found.fingerprint != live.fingerprint

    def test_what_editors_write_anew_by_themselves_does_not(self, wordpress: Blog) -> None:
        live = live_post(wordpress.access())
        raw = str(live.text)
        without_paragraphs = raw.replace("<p>", "").replace("</p>", "\n")
        as_blocks = f"<!-- wp:paragraph -->\n{raw}\n<!-- /wp:paragraph -->"
        for content in (without_paragraphs, as_blocks, raw):
            wordpress.rest("POST", f"posts/{live.external_id}", content=content)
            found = find(reference(external_id=live.external_id), wordpress.access())
            assert found is not None
            assert found.fingerprint == live.fingerprint
