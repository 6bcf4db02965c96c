"""``flask sitemap inspect``: what a sync would find, without a change."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from flask import Flask

from tests.support.servers import Reply, SiteServer
from tests.support.sites import feed, index, urlset

Inspect = Callable[..., Result]
A, B = "https://example.com/a", "https://example.com/b"


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def inspect(app: Flask, site: SiteServer) -> Inspect:
    def run(*words: str, code: int = 0) -> Result:
        result = app.test_cli_runner().invoke(args=["sitemap", "inspect", f"{site.url}/sitemap.xml", *words])
        assert result.exit_code == code, result.output
        assert "Traceback" not in result.output
        return result

    return run


def test_a_valid_sitemap_is_printed_as_one_json_object(inspect: Inspect, site: SiteServer) -> None:
    site.serve("/one.xml", urlset([A, B]))
    site.serve("/sitemap.xml", index([f"{site.url}/one.xml"]))
    printed = json.loads(inspect("--json").stdout)
    assert printed.pop("seconds") >= 0
    assert printed == {"urls": 2, "complete": True, "problems": [], "children": 1}


def test_what_is_missing_is_named(inspect: Inspect, site: SiteServer) -> None:
    site.serve("/sitemap.xml", urlset([A, B])[:-20])
    printed = json.loads(inspect("--json").stdout)
    assert (printed["urls"], printed["complete"]) == (1, False)
    assert [(problem["code"], problem["where"]) for problem in printed["problems"]] == [
        ("TRUNCATED", f"{site.url}/sitemap.xml")
    ]


def test_the_urls_are_written_one_a_line_in_their_one_spelling(
    inspect: Inspect, site: SiteServer, tmp_path: Path
) -> None:
    site.serve("/sitemap.xml", urlset(["HTTPS://Example.com:443/x/../a#top", B]))
    inspect("--urls", str(tmp_path / "urls"))
    assert (tmp_path / "urls").read_text() == f"{A}\n{B}\n"


def test_a_person_reads_lines(inspect: Inspect, site: SiteServer) -> None:
    site.serve("/sitemap.xml", urlset([A, "ftp://example.com/\x9b2J"]))
    lines = inspect().stdout.splitlines()
    assert lines[:3] == ["URLs: 1", "Complete: yes", "Child sitemaps: 0"]
    assert lines[-1].startswith("  INVALID_URL  ftp://example.com/")
    assert "\x9b" not in lines[-1]


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(200, {}, b"<html><body>Not found</body></html>"), "SITEMAP_INVALID"),
        (Reply(404), "SITEMAP_UNREACHABLE"),
        (Reply(302, {"Location": "http://10.0.0.1/sitemap.xml"}), "URL_NOT_ALLOWED"),
    ],
    ids=["web-page", "missing", "private"],
)
def test_a_sitemap_that_a_sync_would_reject_ends_with_a_message(
    inspect: Inspect, site: SiteServer, reply: Reply, code: str
) -> None:
    site.routes["/sitemap.xml"] = reply
    result = inspect("--json", code=1)
    printed = json.loads(result.stdout)
    assert (printed["urls"], printed["complete"], printed["problems"][-1]["code"]) == (0, False, code)
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1


def test_a_drip_ends_when_the_seconds_are_over(inspect: Inspect, site: SiteServer) -> None:
    body = urlset([A, B]).encode()
    site.routes["/sitemap.xml"] = Reply(200, {"Content-Length": "100000"}, body[:-20])
    printed = json.loads(inspect("--json", "--seconds", "1.5").stdout)
    assert (printed["urls"], printed["complete"], printed["problems"][0]["code"]) == (1, False, "TIMEOUT")
    assert printed["seconds"] < 5


def test_a_page_that_is_listed_again_counts_once_as_in_a_sync(inspect: Inspect, site: SiteServer) -> None:
    site.serve("/one.xml", urlset([A, B, A]))
    site.serve("/two.xml", urlset([B]))
    site.serve("/sitemap.xml", index([f"{site.url}/one.xml", f"{site.url}/two.xml"]))
    assert json.loads(inspect("--json").stdout)["urls"] == 2


def test_a_file_of_urls_keeps_no_old_line_when_there_is_none(
    inspect: Inspect, site: SiteServer, tmp_path: Path
) -> None:
    (tmp_path / "urls").write_text(f"{A}\n")
    site.serve("/sitemap.xml", urlset([]))
    inspect("--urls", str(tmp_path / "urls"))
    assert (tmp_path / "urls").read_text() == ""


def test_a_feed_is_named_as_what_does_not_list_everything(inspect: Inspect, site: SiteServer) -> None:
    site.serve("/sitemap.xml", feed([A]))
    printed = json.loads(inspect("--json").stdout)
    assert (printed["urls"], printed["complete"]) == (1, True)
    assert [problem["code"] for problem in printed["problems"]] == ["FEED"]


@pytest.mark.thorough
def test_a_wait_for_a_busy_server_is_reported_meanwhile(inspect: Inspect, site: SiteServer) -> None:
    answers = [Reply(503, {"Retry-After": "3"})]
    whole = Reply(200, {}, urlset([A]).encode())
    site.routes["/sitemap.xml"] = lambda _request: answers.pop() if answers else whole
    result = inspect("--json")
    assert json.loads(result.stdout)["urls"] == 1
    assert result.stderr.startswith("Waiting for 127.0.0.1, which is busy, until ")
