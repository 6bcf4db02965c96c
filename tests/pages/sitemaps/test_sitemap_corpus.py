"""Every hostile case, read over real http as a sync reads it: the right URLs, the right verdict, in time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from app.config import load_settings
from app.failures import ServiceFailure
from app.pages.sitemaps.fetch import UrlBuffer, fetch_sitemap
from tests.support.environment import settings_environment
from tests.support.hostile.case import Case, Verdict
from tests.support.hostile.corpus import CASES
from tests.support.hostile.server import HostileServer, serving

GRACE = 3.0
FAILED = {
    "SITEMAP_INVALID": Verdict.INVALID,
    "SITEMAP_UNREACHABLE": Verdict.UNREACHABLE,
    "URL_NOT_ALLOWED": Verdict.REFUSED,
}


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with serving(CASES) as server:
        yield server


def fetched(server: HostileServer, case: Case) -> UrlBuffer | ServiceFailure:
    settings = load_settings(settings_environment(FETCH_ALLOW=server.allow))
    try:
        return fetch_sitemap(
            settings, server.filled(case, case.site), server.start(case), seconds=case.seconds,
            should_stop=lambda: False, on_progress=lambda _urls, _children: None, limits=case.limits,
        )  # fmt: skip
    except ServiceFailure as failure:
        return failure


def _iso(date: str) -> str:
    return datetime.fromisoformat(date).replace(tzinfo=UTC).isoformat()


def verdict_of(buffer: UrlBuffer) -> Verdict:
    report = buffer.report
    if not report.complete:
        return Verdict.PARTIAL
    if report.is_feed:
        return Verdict.FEED
    return Verdict.COMPLETE if report.urls else Verdict.EMPTY


def codes_of(found: UrlBuffer | ServiceFailure) -> set[str]:
    if isinstance(found, UrlBuffer):
        return {problem.code for problem in found.problems()}
    return {problem["code"] for problem in (found.failure.details or {}).get("problems", [])}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_hostile_sitemap_gives_its_urls_and_a_true_verdict(server: HostileServer, case: Case) -> None:
    started = time.monotonic()
    found = fetched(server, case)
    assert time.monotonic() - started < case.seconds + GRACE
    verdict = verdict_of(found) if isinstance(found, UrlBuffer) else FAILED[found.failure.code]
    pages = [(url, date) for _key, url, date in found.rows()] if isinstance(found, UrlBuffer) else []
    expected = [server.filled(case, url) for url in case.urls]
    assert (list(dict.fromkeys(url for url, _date in pages)), verdict) == (expected, case.verdict)
    assert codes_of(found) == case.codes
    if case.dates:
        assert {url: date and _iso(date) for url, date in pages} == case.dates
    assert server.inside.asked == []


def test_the_corpus_is_large_and_its_names_are_its_own() -> None:
    assert len(CASES) >= 90
    assert len({case.name for case in CASES}) == len(CASES)
