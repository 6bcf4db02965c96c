"""A sitemap that is not whole never looks whole."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.infra.http.errors import FetchError, FetchErrorKind
from app.pages.sitemaps.decoding import repaired
from app.pages.sitemaps.read import read_sitemap
from app.pages.sitemaps.report import DocumentUnreadable, ParseError, Report
from tests.support.sitemaps import NS, ROOT, WHOLE, A, B, C, Site, codes, read, read_all, urlset


@pytest.mark.parametrize("wrap", [lambda data: data, gzip.compress])
def test_a_sitemap_cut_anywhere_is_never_complete(wrap) -> None:
    data = wrap(WHOLE)
    for cut in range(len(data)):
        urls, report = read(data[:cut])
        assert not report.complete, cut
        assert urls == [A, B, C][: len(urls)], cut


@pytest.mark.parametrize(
    ("document", "code", "found"),
    [
        (b"<br /><b>Warning</b>: mysql in x.php<br />\n" + WHOLE, "JUNK_BEFORE_XML", 3),
        (b"PHP Warning: x\n" + WHOLE.split(b"?>", 1)[1], "JUNK_BEFORE_XML", 3),
        (WHOLE + b"<b>Warning</b>", "JUNK_AFTER_ROOT", 3),
        (WHOLE + WHOLE, "JUNK_AFTER_ROOT", 3),
        (b'<!DOCTYPE urlset [<!ENTITY a "b">]>' + WHOLE.split(b"?>", 1)[1], "DOCTYPE", 0),
        (b"<!doctype html><html><body>Not found</body></html>", "NOT_A_SITEMAP", 0),
        (b"<html><body>Not found</body></html>", "NOT_A_SITEMAP", 0),
        (b'{"error": "no"}', "NOT_A_SITEMAP", 0),
        (b"Service unavailable", "NOT_A_SITEMAP", 0),
        (b"<error>no</error>", "NOT_A_SITEMAP", 0),
        (b"", "NOT_A_SITEMAP", 0),
        (b"\x89PNG\r\n\x1a\n\0\0", "NOT_A_SITEMAP", 0),
        (WHOLE.replace(b"</loc></url></urlset>", b"</url></urlset>"), "MALFORMED", 2),
        (gzip.compress(WHOLE, mtime=0) + b"tail", "GZIP_DAMAGED", 3),
        (gzip.compress(WHOLE, mtime=0)[:-8] + b"\0" * 8, "GZIP_DAMAGED", 3),
    ],
)
def test_a_damaged_document_is_reported_and_incomplete(document: bytes, code: str, found: int) -> None:
    urls, report = read(document)
    assert code in codes(report)
    assert not report.complete
    assert urls == [A, B, C][:found]


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        (urlset(A, "https://example.com/?a=1&b=2", B), "https://example.com/?a=1&b=2"),
        (urlset(A, "https://example.com/?a=1&copy=2", B), "https://example.com/?a=1&copy=2"),
        (urlset(A, "https://example.com/x\x01y", B), "https://example.com/xy"),
        (urlset(A, "https://example.com/x&#x1;y", B), "https://example.com/xy"),
        (urlset(A, "https://example.com/x\xe9".encode("latin-1").decode("latin-1"), B)
         .replace(b"UTF-8", b"ISO-8859-1").replace(b"\xc3\xa9", b"\xe9"), "https://example.com/x%C3%A9"),
        (urlset(A, "https://example.com/\u30da", B).decode().replace("UTF-8", "Shift_JIS")
         .encode("shift_jis"),
         "https://example.com/%E3%83%9A"),
    ],
)  # fmt: skip
def test_a_raw_ampersand_or_control_character_costs_no_url(broken: bytes, expected: str) -> None:
    urls, report = read(broken)
    assert urls == [A, expected, B]
    assert report.complete


def test_ampersands_in_cdata_stay_as_they_are_when_the_rest_is_repaired() -> None:
    urls, report = read(urlset("https://example.com/?q=1&r=2", "<![CDATA[https://example.com/?a=1&b=2]]>"))
    assert urls == ["https://example.com/?q=1&r=2", "https://example.com/?a=1&b=2"]
    assert codes(report) == ["REPAIRED"]


@pytest.mark.parametrize("before", [(B, A), (A,), (B,)])
def test_two_versions_of_a_document_are_never_taken_for_one(before: tuple[str, ...]) -> None:
    versions = [urlset(*before, "https://example.com/?a=1&b=2"), urlset(C, *before)]
    report = Report()
    list(read_sitemap(lambda _url: iter([versions.pop(0)]), ROOT, report))
    assert not report.complete
    assert codes(report) == ["REPAIRED", "CHANGED"]


def test_a_document_that_became_shorter_while_it_was_read_is_not_complete() -> None:
    versions = [urlset(A, B, "https://example.com/?a=1&b=2"), urlset(A)]
    report = Report()
    list(read_sitemap(lambda _url: iter([versions.pop(0)]), ROOT, report))
    assert not report.complete
    assert codes(report) == ["REPAIRED", "CHANGED"]


def test_undeclared_bad_bytes_make_one_url_invalid_and_no_other() -> None:
    urls, report = read(urlset(A, "https://example.com/x?", B).replace(b"x?", b"x\xe9"))
    assert (urls, report.invalid, report.complete) == ([A, B], 1, False)


@pytest.mark.parametrize("entry", ["<url><loc></loc></url>", "<url><loc> \n</loc></url>", "<url/>"])
def test_an_entry_without_an_address_makes_the_reading_incomplete(entry: str) -> None:
    urls, report = read(urlset(A, B).replace(b"<url>", entry.encode() + b"<url>", 1))
    assert (urls, report.complete) == ([A, B], False)
    assert [(found.code, found.where) for found in report.problems] == [("INVALID_URL", ROOT)]


def test_a_cut_after_a_raw_ampersand_still_shows() -> None:
    document = urlset("https://example.com/?a=1&b=2", A, B)
    urls, report = read(document[:-20])
    assert not report.complete
    assert urls[:2] == ["https://example.com/?a=1&b=2", A]


def test_unusable_addresses_are_counted_and_reported_and_nothing_else_is_missing() -> None:
    urls, report = read(urlset("mailto:a@example.com", A, "http://u:p@example.com/", f"{A}/{'x' * 2100}"))
    assert (urls, report.invalid, report.complete) == ([A], 3, True)
    assert codes(report) == ["INVALID_URL"] * 3


def test_a_broken_connection_keeps_what_came_before() -> None:
    urls, report = read(WHOLE[:-30], FetchError(FetchErrorKind.TRUNCATED, "The connection ended."))
    assert urls == [A, B]
    assert (codes(report), report.complete) == (["TRUNCATED"], False)


def test_a_sitemap_that_cannot_be_fetched_raises() -> None:
    with pytest.raises(FetchError):
        read(FetchError(FetchErrorKind.REFUSED, "No."))
    with pytest.raises(DocumentUnreadable):
        read_all(Site({}))


def test_a_stop_is_raised_and_not_reported() -> None:
    with pytest.raises(FetchError):
        read(WHOLE[:-30], FetchError(FetchErrorKind.STOPPED, "Stopped."))


def test_a_loss_is_listed_even_after_thousands_of_minor_problems() -> None:
    _, report = read(urlset(*["ftp://x"] * 1000)[:-9])
    assert report.problem_count == 1001
    assert "TRUNCATED" in codes(report)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_byte_lost_or_changed_never_invents_an_address_of_a_complete_sitemap(data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(WHOLE) - 1))
    length = data.draw(st.integers(1, len(WHOLE) - position))
    urls, report = read(WHOLE[:position] + WHOLE[position + length :])
    if position + length == len(WHOLE):
        assert not report.complete
    assert len(urls) <= 3


_DEPTHS = st.lists(st.integers(0, 3), min_size=1, max_size=6)
_AROUND = st.lists(st.sampled_from(["wrapper", "page", "image", "x:data"]), min_size=3, max_size=3)


@settings(max_examples=200, deadline=None)
@given(_DEPTHS, _AROUND, st.booleans())
def test_an_address_with_any_text_around_it_is_read_or_reported(
    depths: list[int], around: list[str], has_more: bool
) -> None:
    entries = []
    for number, depth in enumerate(depths):
        opened = "".join(f"<{name}>" for name in around[:depth])
        closed = "".join(f"</{name}>" for name in reversed(around[:depth]))
        more = f"<image><loc>{C}</loc></image>" if has_more and not depth else ""
        entries.append(f"<url>{more}{opened}<loc>{A}{number}</loc>{closed}</url>")
    urls, report = read(f"<urlset {NS}>{''.join(entries)}</urlset>".encode())
    assert urls == [f"{A}{number}" for number, depth in enumerate(depths) if not depth]
    assert report.complete == (not any(depths))


def test_a_misspelt_scheme_on_another_host_is_named_and_the_other_addresses_are_kept() -> None:
    urls, report = read(urlset(A, "htps://blog.example.com/p", B))
    assert (urls, report.invalid, report.complete) == ([A, B], 1, False)
    (problem,) = report.problems
    assert problem.code == "INVALID_URL"
    assert problem.where == "htps://blog.example.com/p"
    assert problem.message == "Not a usable URL: its scheme is misspelt: htps."


@pytest.mark.parametrize(
    "scheme", ["ftp", "ftps", "sftp", "ssh", "feed", "smtp", "nntp", "rtsp", "ipfs", "app"]
)
def test_an_address_of_another_kind_on_another_host_is_left_out_and_is_no_loss(scheme: str) -> None:
    urls, report = read(urlset(A, f"{scheme}://blog.example.com/p", B))
    assert (urls, report.invalid, report.complete) == ([A, B], 1, True)


def test_a_text_in_which_no_tag_begins_is_given_up_and_not_kept_whole() -> None:
    taken: list[int] = []

    def text() -> Iterator[bytes]:
        for number in range(64):
            taken.append(number)
            yield b"x" * 65_536

    with pytest.raises(ParseError) as caught:
        list(repaired(text()))
    assert caught.value.code == "MALFORMED"
    assert len(taken) < 20
