"""Finding a site's API and testing the target: each cause has its step, code and hint."""

from __future__ import annotations

import socket
from collections.abc import Mapping

import pytest

from app.infra.http.client import Fetcher
from app.infra.http.response import FetchPolicy
from app.publishing.targets.base import CHECK_NAMES, Access, CheckStep, PublishProblem
from app.publishing.targets.wordpress.check import check
from app.publishing.targets.wordpress.discovery import Page, api_of, find_api
from tests.support.servers import Reply, SiteServer
from tests.support.wordpress import Blog

HTML = {"Content-Type": "text/html"}


def access_to(site: SiteServer, path: str = "/") -> Access:
    host, _, port = site.address.partition(":")
    policy = FetchPolicy("tests", allow=frozenset({(host, int(port))}), total_seconds=5)
    return Access({"url": site.url + path, "username": "alice"}, "secret", Fetcher(policy))


def steps(access: Access) -> list[CheckStep]:
    """The steps of the check; all but the last one passed."""
    found = list(check(access))
    assert [step.name for step in found] == list(CHECK_NAMES[: len(found)])
    assert all(step.failure is None for step in found[:-1])
    assert all(step.message for step in found)
    return found


def end(access: Access) -> tuple[str, str]:
    """The last step's name with the code of its failure."""
    last = steps(access)[-1]
    return last.name, "" if last.failure is None else last.failure.code


def hints(access: Access) -> str:
    failed = steps(access)[-1].failure
    assert failed is not None
    return f"{failed.message} {' '.join(failed.hints)}"


class TestOnWordPress:
    @pytest.mark.parametrize("options", ["", "plain_permalinks", "login_page", "no_search"])
    @pytest.mark.parametrize("path", ["/", "/some/page?x=1", "/wp-admin/"])
    def test_all_steps_pass_for_an_author_from_any_address_of_the_site(
        self, wordpress: Blog, options: str, path: str
    ) -> None:
        wordpress.options |= set(options.split())
        assert len(steps(wordpress.access(path=path))) == len(CHECK_NAMES)
        assert end(wordpress.access(path=path)) == ("may_delete", "")

    def test_a_check_writes_nothing(self, wordpress: Blog) -> None:
        steps(wordpress.access("administrator", category="Made later"))
        assert {request.method for request in wordpress.gateway.requests} == {"GET"}

    @pytest.mark.parametrize(
        ("role", "lacking"), [("subscriber", "edit_posts"), ("contributor", "publish_posts")]
    )
    def test_the_right_that_an_account_lacks_to_publish_is_reported(
        self, wordpress: Blog, role: str, lacking: str
    ) -> None:
        assert end(wordpress.access(role)) == ("may_publish", "TARGET_FORBIDDEN")
        failed = steps(wordpress.access(role))[-1].failure
        assert failed is not None
        assert lacking in str((failed.details or {})["missing"])
        assert lacking not in failed.message, "people see it, programs read the details"
        assert "Author, Editor or Administrator" in hints(wordpress.access(role))

    @pytest.mark.parametrize(("role", "password"), [("author", "wrong"), ("nobody", "wrong")])
    def test_wrong_credentials_lead_to_a_new_application_password(
        self, wordpress: Blog, role: str, password: str
    ) -> None:
        there = wordpress.access(role, password=password)
        assert end(there) == ("signed_in", "TARGET_AUTH")
        assert "make a new application password" in hints(there)
        assert "The password that the account signs in with does not work." in hints(there)

    def test_wrong_credentials_of_a_site_for_members_are_distinguished_from_a_closed_api(
        self, wordpress: Blog
    ) -> None:
        wordpress.options.add("login_page")
        there = wordpress.access(password="wrong")
        assert end(there) == ("signed_in", "TARGET_AUTH")
        assert "make a new application password" in hints(there)

    def test_a_site_without_application_passwords_is_reported(self, wordpress: Blog) -> None:
        wordpress.options.add("no_application_passwords")
        assert end(wordpress.access()) == ("signed_in", "TARGET_AUTH")
        assert "does not accept application passwords" in hints(wordpress.access())

    def test_a_rest_api_that_is_switched_off_is_quoted(self, wordpress: Blog) -> None:
        wordpress.options.add("rest_off")
        assert end(wordpress.access()) == ("api_found", "TARGET_API_NOT_FOUND")
        assert "The REST API is disabled on this site." in hints(wordpress.access())

    @pytest.mark.parametrize("category", ["Nowhere", "99999"])
    def test_a_category_that_does_not_exist_is_named(self, wordpress: Blog, category: str) -> None:
        there = wordpress.access(category=category)
        assert end(there) == ("may_publish", "TARGET_FORBIDDEN")
        assert category in hints(there)


class TestOnOtherSites:
    @pytest.mark.parametrize(
        ("routes", "said"),
        [
            ({"/": Reply(200, HTML, b"<p>A shop.")}, "not a WordPress site"),
            ({"/": Reply(401, {"WWW-Authenticate": "Basic"}, b"")}, "behind a page to sign in"),
            ({"/": Reply(200, HTML, b"<form><input type='password'></form>")}, "behind a page to sign in"),
            ({"/": Reply(302, {"Location": "https://login.example/"})}, "another site, login.example"),
            ({"/": Reply(200, {"Link": '<https://x.example/>; rel="https://api.w.org/"'})}, "x.example"),
            ({"/": Reply(200, {"Link": '</api/>; rel="https://api.w.org/"'})}, "API"),
        ],
        ids=["a shop", "401", "a form", "a redirect to sign in", "an API elsewhere", "no API there"],
    )  # fmt: skip
    def test_a_site_without_the_api_is_named_and_gets_no_password(
        self, site: SiteServer, routes: Mapping[str, Reply], said: str
    ) -> None:
        site.routes.update(routes)
        assert "TARGET_API_NOT_FOUND" in end(access_to(site))
        assert said in hints(access_to(site))
        assert not any("authorization" in request.headers for request in site.requests)

    def test_an_api_that_is_no_json_is_unusable(self, site: SiteServer) -> None:
        site.serve("/", headers={"Link": '</wp-json/>; rel="https://api.w.org/"'})
        site.serve("/wp-json/", "<b>Fatal error</b>: Uncaught Error in plugin.php", 500)
        assert end(access_to(site)) == ("api_found", "PUBLISH_ENDPOINT_FAILED")
        failed = steps(access_to(site))[-1].failure
        assert failed is not None
        assert failed.details == {
            "address": f"{site.url}/wp-json/",
            "status": 500,
            "answer": "<b>Fatal error</b>: Uncaught Error in plugin.php",
        }

    def test_a_server_that_does_not_answer_is_not_reachable(self) -> None:
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            port = closed.getsockname()[1]
            policy = FetchPolicy("tests", allow=frozenset({("127.0.0.1", port)}))
            there = Access({"url": f"http://127.0.0.1:{port}/", "username": "a"}, "b", Fetcher(policy))
            assert end(there) == ("reachable", "PUBLISH_ENDPOINT_FAILED")
            assert "that the site is online" in hints(there)

    def test_a_name_without_address_is_not_reachable(self) -> None:
        policy = FetchPolicy("tests", resolver=lambda *_: [])
        there = Access({"url": "https://alice.example/", "username": "a"}, "b", Fetcher(policy))
        assert end(there) == ("reachable", "PUBLISH_ENDPOINT_FAILED")
        assert "typing errors" in hints(there)


class TestDiscovery:
    def test_the_link_element_names_the_api_when_the_header_is_missing(self, site: SiteServer) -> None:
        head = (
            "<head><link rel='https://api.w.org/' href='/blog/index.php?rest_route=/&amp;lang=de' /></head>"
        )
        site.serve("/blog/", head)
        api = find_api(access_to(site, "/blog/"))
        assert api.url("wp/v2/posts", {"slug": "a,b"}) == (
            f"{site.url}/blog/index.php?rest_route=/wp/v2/posts&lang=de&slug=a%2Cb"
        )

    def test_redirects_of_the_page_are_followed(self, site: SiteServer) -> None:
        site.routes["/"] = Reply(301, {"Location": "/blog/"})
        links = '</x>; rel="shortlink", </blog/wp-json/>; rel="https://api.w.org/"'
        site.serve("/blog/", headers={"Link": links})
        assert find_api(access_to(site)).url("wp/v2/posts") == f"{site.url}/blog/wp-json/wp/v2/posts"

    def test_without_a_link_the_usual_places_of_each_folder_are_tried(self, site: SiteServer) -> None:
        site.serve("/blog/wp-json/", '{"namespaces": ["wp/v2"]}')
        assert find_api(access_to(site, "/blog/2026/post/")).root == f"{site.url}/blog/wp-json/"

    def test_the_api_of_an_encrypted_page_is_called_encrypted(self) -> None:
        access = Access({"url": "http://alice.example/"}, "secret", Fetcher(FetchPolicy("tests")))
        page = Page("https://www.alice.example/", 200, "http://www.alice.example/wp-json/", False)
        assert api_of(page, access).root == "https://www.alice.example/wp-json/"

    def test_a_site_without_encryption_gets_no_password(self) -> None:
        access = Access({"url": "http://alice.example/"}, "secret", Fetcher(FetchPolicy("tests")))
        page = Page("http://alice.example/", 200, "http://alice.example/wp-json/", False)
        with pytest.raises(PublishProblem) as caught:
            api_of(page, access)
        assert caught.value.failure.code == "URL_NOT_ALLOWED"
        assert "https" in caught.value.failure.hints[0]
