"""What a reader of a sync is told besides the listed problems."""

from app.pages.sitemaps.entries import MAX_PROBLEMS
from tests.support.sitemaps import ROOT, A, Site, read, read_all, urlset


def test_dates_that_are_none_are_told_as_one_finding() -> None:
    entry = f"<url><loc>{A}</loc><lastmod>soon</lastmod></url>"
    _, report = read_all(Site({ROOT: [f"<urlset>{entry * 2}</urlset>".encode()]}))
    assert [(found.code, found.where) for found in report.findings(ROOT)] == [("INVALID_DATES", ROOT)]
    assert report.findings(ROOT)[0].message.endswith(": 2.")


def test_problems_over_the_bound_are_told_by_their_number() -> None:
    _, report = read(urlset(*["ftp://x"] * (MAX_PROBLEMS + 7)))
    told, *listed = report.findings(ROOT)
    assert (told.code, told.message) == ("MORE_PROBLEMS", "Problems that are not listed: 7.")
    assert len(listed) == MAX_PROBLEMS


def test_a_sound_sitemap_leaves_nothing_to_tell() -> None:
    _, report = read(urlset(A))
    assert report.findings(ROOT) == []
