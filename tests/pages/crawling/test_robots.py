"""A robots.txt is read as RFC 9309 says."""

from __future__ import annotations

import pytest

from app.pages.crawling.robots import Robots

URL = "https://example.com/robots.txt"


def robots(text: str) -> Robots:
    return Robots(text, "SeoBot/1.0 (+https://example.net/bot)")


@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        ("Disallow:", "/a", True),
        ("Disallow: /", "/a", False),
        ("Disallow: /a", "/abc", False),
        ("Disallow: /a/", "/a", True),
        ("Disallow: /\nAllow: /public/", "/public/x", True),
        ("Disallow: /p\nAllow: /p", "/p", True),
        ("Allow: /a\nDisallow: /a/b", "/a/b", False),
        ("Disallow: /*.pdf$", "/x/y.pdf", False),
        ("Disallow: /*.pdf$", "/x/y.pdf?z", True),
        ("Disallow: *?sort=", "/x?sort=1", False),
        ("Disallow: /a*b*c", "/a-c-b", True),
        ("Disallow: /a*b*c", "/a-b-c-d", False),
        ("Disallow: /a$", "/a", False),
        ("Disallow: /a$", "/ab", True),
        ("Disallow: /*?", "/x", True),
        ("Disallow: /*?", "/x?a", False),
        ("Disallow: /.", "/x", True),
        ("Disallow: /ü", "/%C3%BC", False),
        ("Disallow: /%7Ejoe", "/~joe", False),
        ("Disallow: /", "/robots.txt", True),
        ("Disallow: nonsense", "/nonsense", True),
    ],
)
def test_the_longest_matching_rule_decides(rules: str, path: str, allowed: bool) -> None:
    assert robots(f"User-agent: *\n{rules}").allows(f"https://example.com{path}") is allowed


def test_the_groups_of_the_agent_hide_those_of_everyone() -> None:
    rules = robots(
        "User-agent: *\nDisallow: /\n\nUser-Agent: Other\nUser-agent: seobot/2.0 # us\nDisallow: /a\n\n"
        "User-agent: SEOBOT\nDisallow: /b\nCrawl-delay: 2.5"
    )
    assert rules.allows("https://example.com/c")
    assert not rules.allows("https://example.com/a")
    assert not rules.allows("https://example.com/b")
    assert rules.crawl_delay == 2.5


def test_sitemaps_are_listed_once_and_normalised_wherever_they_are_named() -> None:
    rules = robots("Sitemap: /s.xml\nUser-agent: x\nSITEMAP: https://EXAMPLE.com/s.xml\nSitemap: ftp://x/")
    assert rules.sitemaps(URL) == ("https://example.com/s.xml",)


@pytest.mark.parametrize("text", ["", "<html>", "\0", "Disallow: /", "User-agent: *\nCrawl-delay: x"])
def test_a_text_without_rules_allows_everything(text: str | None) -> None:
    rules = Robots(text, "SeoBot")
    assert rules.allows("https://example.com/")
    assert rules.crawl_delay is None


def test_a_crawl_delay_is_limited() -> None:
    assert robots("User-agent: *\nCrawl-delay: nan").crawl_delay is None
    assert robots("User-agent: *\nCrawl-delay: 1e99").crawl_delay == 30
    assert robots("User-agent: *\nCrawl-delay: 5").pause(1.0) == 5
    assert robots("User-agent: *\nCrawl-delay: 0.1").pause(1.0) == 1


def test_a_hostile_pattern_takes_no_time() -> None:
    pattern = "/" + "*a" * 500 + "b$"
    assert robots(f"User-agent: *\nDisallow: {pattern}").allows("https://example.com/" + "a" * 2000)
