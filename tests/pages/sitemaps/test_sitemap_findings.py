"""What a reader of a sync is first besides the listed problems."""

from app.pages.sitemaps.report import MAX_PROBLEMS
from tests.support.sitemaps import ROOT, A, Site, read, read_all, urlset


def test_invalid_dates_are_reported_as_one_problem() -> None:
    entry = f"<url><loc>{A}</loc><lastmod>soon</lastmod></url>"
    _, report = read_all(Site({ROOT: [f"<urlset>{entry * 2}</urlset>".encode()]}))
    assert [(found.code, found.where) for found in report.all_problems(ROOT)] == [("INVALID_DATES", ROOT)]
    assert report.all_problems(ROOT)[0].message.endswith(": 2.")


def test_problems_over_the_limit_are_reported_by_their_number() -> None:
    _, report = read(urlset(*["ftp://x"] * (MAX_PROBLEMS + 7)))
    first, *listed = report.all_problems(ROOT)
    assert (first.code, first.message) == ("MORE_PROBLEMS", "Problems that are not listed: 7.")
    assert len(listed) == MAX_PROBLEMS


def test_a_valid_sitemap_has_no_problems() -> None:
    _, report = read(urlset(A))
    assert report.all_problems(ROOT) == []
