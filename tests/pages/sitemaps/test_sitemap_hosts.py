"""Which hosts' pages a project takes from its sitemap, and what is problems of the others."""

from __future__ import annotations

import pytest

from app.config import Settings, load_settings
from app.pages.sitemaps.fetch import fetch_sitemap
from app.pages.sitemaps.url_buffer import SITES_COUNTED, SITES_NAMED, UrlBuffer, belongs
from tests.support.environment import settings_environment
from tests.support.servers import SiteServer
from tests.support.sites import urlset

SHOP = "https://www.shop.example.co.uk/en/"


@pytest.fixture
def settings(site: SiteServer) -> Settings:
    return load_settings(settings_environment(FETCH_ALLOW=site.address))


def fetch(settings: Settings, site: SiteServer, *urls: str, project: str = SHOP) -> UrlBuffer:
    return fetch_sitemap(
        settings, project, site.serve("/sitemap.xml", urlset(urls)), seconds=20,
        should_stop=lambda: False, on_progress=lambda _urls, _children: None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("site", "anywhere", "here"),
    [
        ("https://www.shop.example.co.uk/", True, True),
        ("https://shop.example.co.uk/", True, True),
        ("http://www.shop.example.co.uk/", True, True),
        ("https://blog.example.co.uk/", True, False),
        ("https://example.co.uk/", True, False),
        ("https://example.com/", False, False),
        ("https://other.co.uk/", False, False),
        ("https://www.shop.example.co.uk.evil.com/", False, False),
        ("https://10.0.0.1/", False, False),
    ],
)
def test_pages_belong_to_a_project_by_their_host(site: str, anywhere: bool, here: bool) -> None:
    assert belongs(SHOP, site, subdomains=True) is anywhere
    assert belongs(SHOP, site, subdomains=False) is here


def test_the_hosts_of_a_domain_are_one_site_unless_the_setting_says_otherwise(
    settings: Settings, site: SiteServer
) -> None:
    urls = ("https://shop.example.co.uk/a", "https://blog.example.co.uk/b", "https://example.co.uk/c")
    assert [url for _, url, _ in fetch(settings, site, *urls).rows()] == list(urls)
    narrow = load_settings(settings_environment(FETCH_ALLOW=site.address, SITEMAP_SUBDOMAINS="0"))
    buffer = fetch(narrow, site, *urls)
    assert ([url for _, url, _ in buffer.rows()], buffer.foreign) == ([urls[0]], 2)


def test_other_sites_are_named_with_their_counts_the_most_frequent_first(
    settings: Settings, site: SiteServer
) -> None:
    others = [f"https://b.example/{n}" for n in range(2)] + [f"https://a.example/{n}" for n in range(3)]
    buffer = fetch(settings, site, f"{SHOP}a", *others)
    assert (buffer.listed, buffer.foreign, buffer.report.complete) == (1, 5, True)
    assert [(each.code, each.where, each.message) for each in buffer.problems()] == [
        ("OTHER_SITE", "https://a.example", "Pages of another site, left out: 3."),
        ("OTHER_SITE", "https://b.example", "Pages of another site, left out: 2."),
    ]


def test_only_the_most_frequent_other_sites_are_named_and_the_rest_counted(
    settings: Settings, site: SiteServer
) -> None:
    buffer = fetch(settings, site, f"{SHOP}a", *(f"https://s{n}.example/" for n in range(SITES_NAMED + 5)))
    problems = buffer.problems()
    assert len(problems) == SITES_NAMED + 1
    assert (problems[-1].where, problems[-1].message) == (
        buffer.sitemap_url,
        "Pages of more sites, left out: 5.",
    )


def test_a_sitemap_of_endless_other_sites_fills_no_memory_with_their_names() -> None:
    buffer = UrlBuffer(SHOP, f"{SHOP}sitemap.xml")
    for number in range(SITES_COUNTED):
        buffer.add((f"https://s{number}.example/", None))
    for number in range(9):
        buffer.add((f"https://late.example/{number}", None))
    assert buffer.foreign == SITES_COUNTED + 9
    assert "https://late.example" not in [problem.where for problem in buffer.problems()]
