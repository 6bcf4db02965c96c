"""The WordPress publisher against a server that answers as WordPress was seen to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.failures import ServiceFailure, failure
from app.infra.http import Fetcher, FetchPolicy
from app.publishing.base import HIDDEN, NOTHING_THERE, UNKNOWN, Access, Delivered, Document, PublishProblem
from app.publishing.delivery import Delivery
from app.publishing.wordpress import WordPressPublisher
from tests.support.servers import Reply, SiteServer
from tests.support.wordpress import Fault, WordPress, gateway, lost, spelled

SID = "sid:0123456789abcdef0123456789abcdef"
PUBLISHER = WordPressPublisher()
FIRST, SECOND = "a" * 64, "b" * 64


@pytest.fixture
def blog(site: SiteServer) -> WordPress:
    return WordPress(site)


def document(digest: str = FIRST, *, update: bool = False, sid: str = SID, **members: Any) -> Document:
    post = {
        "id": 7, "version": 1, "title": "Beds & <borders>", "slug": "beds",
        "description": "What grows “where”", "content_html": "<p>Dig first.</p>\n<h2>Then</h2>\n", **members,
    }  # fmt: skip
    return Document(sid, digest, post, update)


def delivery(blog: WordPress, sid: str = SID) -> Delivery:
    return Delivery(PUBLISHER, blog.access(), sid, lambda _seconds: None)


def problem_of(act: Callable[[], object]) -> PublishProblem:
    with pytest.raises(PublishProblem) as caught:
        act()
    return caught.value


@pytest.mark.parametrize("pretty", [True, False], ids=["pretty-permalinks", "plain-permalinks"])
def test_a_post_is_made_as_a_draft_and_published_by_its_id(site: SiteServer, pretty: bool) -> None:
    blog = WordPress(site, pretty)
    delivered = PUBLISHER.deliver(document(), blog.access())
    assert delivered == Delivered("17", f"{site.url}/beds/")
    assert [(call, fields["status"]) for call, fields in blog.writes] == [
        ("POST /wp/v2/posts", "draft"), ("POST /wp/v2/posts/17", "publish"),
    ]  # fmt: skip
    (article,) = blog.live
    assert article.title == "Beds &amp; &lt;borders&gt;"
    assert article.excerpt == "What grows “where”"
    assert article.content == f"<p>Dig first.</p>\n<h2>Then</h2><!-- {SID} {FIRST} -->"


def test_the_password_is_sent_to_the_api_alone(blog: WordPress) -> None:
    PUBLISHER.deliver(document(), blog.access())
    sent = {("authorization" in each.headers, each.path == "/") for each in blog.site.requests}
    assert sent == {(False, True), (True, False)}


def test_a_site_whose_cache_drops_the_link_header_names_its_api_in_the_page(blog: WordPress) -> None:
    page = f'<html><head><link rel="https://api.w.org/" href="{blog.site.url}/wp-json/"></head></html>'
    blog.site.serve("/", page)
    assert PUBLISHER.deliver(document(), blog.access()).external_id == "17"


@pytest.mark.parametrize(
    "named", ["https://evil.example/wp-json/", "http://127.0.0.1:1/wp-json/", "http://["]
)
def test_no_password_is_sent_to_another_site_that_the_site_names(blog: WordPress, named: str) -> None:
    blog.site.serve("/", "", headers={"Link": f'<{named}>; rel="https://api.w.org/"'})
    problem = problem_of(lambda: PUBLISHER.deliver(document(), blog.access()))
    assert (problem.failure.code, problem.outcome) == ("PUBLISH_REJECTED", NOTHING_THERE)
    assert [each.path for each in blog.site.requests] == ["/"]


@pytest.mark.parametrize(
    "faults",
    [[lost], [gateway], [None, lost], [None, gateway], [lost, lost], [None, lost, None, gateway]],
    ids=["created", "created-502", "published", "published-502", "both", "and-again"],
)
def test_an_answer_that_is_lost_never_makes_two_posts(blog: WordPress, faults: list[Fault | None]) -> None:
    blog.faults = faults
    assert delivery(blog).send(document).external_id == "17"
    assert [(each.slug, each.status) for each in blog.articles] == [("beds", "publish")]


def test_what_a_lost_answer_left_is_cleared_when_the_text_may_not_be_sent_again(blog: WordPress) -> None:
    blog.faults = [lost]
    texts = [document()]

    def prepare() -> Document:
        if not texts:
            raise PublishProblem(failure("PUBLISH_QUALITY_GATE_BLOCKED"), NOTHING_THERE)
        return texts.pop()

    problem = problem_of(lambda: delivery(blog).send(prepare))
    assert (problem.failure.code, problem.outcome) == ("PUBLISH_QUALITY_GATE_BLOCKED", NOTHING_THERE)
    assert blog.articles == []


def test_a_user_who_may_not_publish_leaves_no_draft(blog: WordPress) -> None:
    blog.may = tuple(name for name in blog.may if name != "publish_posts")
    problem = problem_of(lambda: delivery(blog).send(document))
    assert (problem.failure.code, problem.outcome) == ("TARGET_AUTH", NOTHING_THERE)
    assert blog.articles == []


def test_a_draft_that_could_not_be_cleared_away_leaves_the_outcome_open(blog: WordPress) -> None:
    blog.add("beds")
    blog.faults = [None, gateway]
    problem = problem_of(lambda: delivery(blog).send(document))
    assert (problem.failure.code, problem.outcome) == ("TARGET_SLUG_TAKEN", UNKNOWN)


def test_a_slug_that_somebody_else_has_is_refused_and_nothing_left(blog: WordPress) -> None:
    blog.add("beds")
    problem = problem_of(lambda: delivery(blog).send(document))
    assert (problem.failure.code, problem.outcome) == ("TARGET_SLUG_TAKEN", NOTHING_THERE)
    assert problem.failure.details == {"slug": "beds-2"}
    assert [each.slug for each in blog.articles] == ["beds"]


SLUGS = ["gärten", "naïve-été", "日本-の-庭", "gaerten-2", "c-sharp-3.2", "a--b", "庭" * 60, "x" * 60 + "-7"]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_slug_that_wordpress_spells_otherwise_is_the_one_that_was_asked_for(
    blog: WordPress, slug: str
) -> None:
    assert PUBLISHER.deliver(document(slug=slug), blog.access()).external_id == "17"


@pytest.mark.parametrize("slug", SLUGS)
def test_a_number_that_wordpress_adds_is_seen_behind_any_slug(blog: WordPress, slug: str) -> None:
    blog.add(spelled(slug))
    problem = problem_of(lambda: PUBLISHER.deliver(document(slug=slug), blog.access()))
    assert problem.failure.code == "TARGET_SLUG_TAKEN"


def test_a_changed_text_takes_the_place_of_the_first_under_the_same_address(blog: WordPress) -> None:
    first = PUBLISHER.deliver(document(), blog.access())
    changed = document(SECOND, update=True, slug="other", content_html="<p>Dig deeper.</p>")
    assert PUBLISHER.deliver(changed, blog.access()) == first
    (article,) = blog.live
    assert (article.slug, article.content) == ("beds", f"<p>Dig deeper.</p><!-- {SID} {SECOND} -->")


def test_only_what_can_be_read_is_found(blog: WordPress) -> None:
    assert PUBLISHER.look(SID, blog.access()) is None
    article = blog.add("beds", f"<p>Text</p><!-- {SID} {FIRST} -->", "draft")
    assert PUBLISHER.look(SID, blog.access()) is None
    article.status = "publish"
    assert PUBLISHER.look(SID, blog.access()) == Delivered("17", f"{blog.site.url}/beds/")
    assert PUBLISHER.look(SID, blog.access(), FIRST) is not None
    assert PUBLISHER.look(SID, blog.access(), SECOND) is None
    assert PUBLISHER.look("sid:0123456789abcdef", blog.access()) is None


def test_a_copy_in_a_draft_is_not_taken_for_the_post(blog: WordPress) -> None:
    text = f"<p>Text</p><!-- {SID} {FIRST} -->"
    blog.add("beds-copy", text, "draft")
    blog.add("beds", text)
    assert PUBLISHER.look(SID, blog.access()) == Delivered("18", f"{blog.site.url}/beds/")


def test_clearing_deletes_drafts_of_the_publication_and_nothing_else(blog: WordPress) -> None:
    blog.add("others")
    for _ in range(2):
        blog.add("beds", f"<p>Text</p><!-- {SID} {FIRST} -->", "draft")
    live = blog.add("live", f"<p>Text</p><!-- sid:ff {FIRST} -->")
    PUBLISHER.clear(SID, blog.access())
    PUBLISHER.clear("sid:ff", blog.access())
    assert [each.slug for each in blog.articles] == ["others", live.slug]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Reply(404), "PUBLISH_REJECTED"),
        (Reply(503), "PUBLISH_ENDPOINT_FAILED"),
        (Reply(429, {"Retry-After": "30"}), "TARGET_RATE_LIMITED"),
        (Reply(hang_up=True), "PUBLISH_ENDPOINT_FAILED"),
        (Reply(200, body=b"<html>No WordPress</html>"), "PUBLISH_REJECTED"),
    ],
)
def test_a_site_that_cannot_be_asked_has_nothing_of_the_post(
    blog: WordPress, answer: Reply, code: str
) -> None:
    blog.site.routes["/"] = answer
    problem = problem_of(lambda: PUBLISHER.deliver(document(), blog.access()))
    assert (problem.failure.code, problem.outcome) == (code, NOTHING_THERE)


def test_a_refused_password_says_what_to_do(blog: WordPress) -> None:
    problem = problem_of(lambda: PUBLISHER.deliver(document(), blog.access(password="wrong")))
    assert (problem.failure.code, problem.outcome) == ("TARGET_AUTH", NOTHING_THERE)
    assert "application password" in problem.failure.hints[0]
    assert "wrong" not in str(problem.failure.to_dict())


@pytest.mark.parametrize("body", [b"<html>Sorry</html>", b"[]", b'{"id": 17}', b'{"id": "x", "slug": 1}'])
def test_an_answer_that_is_not_wordpress_leaves_the_outcome_open(blog: WordPress, body: bytes) -> None:
    blog.faults = [lambda _reply: Reply(201, body=body)]
    assert problem_of(lambda: PUBLISHER.deliver(document(), blog.access())).outcome == UNKNOWN


def test_a_redirect_of_a_write_is_never_followed(blog: WordPress) -> None:
    blog.faults = [None, lambda _reply: Reply(301, {"Location": f"{blog.site.url}/wp-json/wp/v2/posts"})]
    problem = problem_of(lambda: PUBLISHER.deliver(document(), blog.access()))
    assert (problem.failure.code, problem.outcome) == ("PUBLISH_REJECTED", HIDDEN)


def titles(access: Access) -> list[tuple[str, str | None]]:
    checks = PUBLISHER.test(access)
    return [(each.title.split()[-1], each.failure.message if each.failure else None) for each in checks]


def test_the_test_tells_how_far_the_way_goes(blog: WordPress) -> None:
    assert titles(blog.access()) == [
        ("answers", None), ("API", None), ("password", None), ("posts", None), ("posts", None),
    ]  # fmt: skip
    refused = "The publish target refused the credentials."
    assert titles(blog.access(user="nobody"))[1:] == [("API", None), ("password", refused)]
    blog.may = ("edit_posts", "delete_posts")
    assert titles(blog.access())[3:] == [
        ("posts", "The user lacks edit_published_posts, publish_posts."),
        ("posts", "The user lacks delete_published_posts."),
    ]
    blog.site.serve("/", "<html>Something else</html>")
    nothing = "No WordPress REST API was found at this address."
    assert titles(blog.access()) == [("answers", None), ("API", nothing)]
    blog.site.routes["/"] = Reply(503)
    assert titles(blog.access()) == [("answers", "The publish target did not answer as it should.")]
    assert blog.writes == []


def test_a_password_loses_the_spaces_that_it_is_shown_with() -> None:
    assert PUBLISHER.checked_secret(" abcd EFGH ijkl ") == "abcdEFGHijkl"
    for wrong in (" ", "pässword", "x" * 201):
        with pytest.raises(ServiceFailure) as refused:
            PUBLISHER.checked_secret(wrong)
        assert refused.value.errors[0]["field"] == "/secret"


def test_a_fetcher_shows_no_password() -> None:
    shown = repr(
        Access({"url": "https://alice.example/", "username": "a"}, "word", Fetcher(FetchPolicy("t")))
    )
    assert "word" not in shown
