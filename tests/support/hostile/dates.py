"""Cases of the corpus: lastmod. Dates that count, and texts that are ignored."""

from __future__ import annotations

from tests.support.hostile.case import Case, Verdict, one
from tests.support.sitemaps import NS

PAGE = "https://example.com/"


def _dated(name: str, dates: dict[str, str | None], *codes: str) -> Case:
    """One page for each text; the value is what it means in UTC, None when it is ignored."""
    entries = "".join(
        f"<url><loc>{PAGE}{number}</loc><lastmod>{text}</lastmod></url>" for number, text in enumerate(dates)
    )
    meant = {f"{PAGE}{number}": value for number, value in enumerate(dates.values())}
    return one(name, f"<urlset {NS}>{entries}</urlset>", tuple(meant), Verdict.COMPLETE, *codes, dates=meant)


CASES = [
    _dated("every-w3c-form", {
        "2024": "2024-01-01T00:00:00+00:00", "2024-05": "2024-05-01T00:00:00+00:00",
        "2024-05-06": "2024-05-06T00:00:00+00:00", "2024-05-06T07:08Z": "2024-05-06T07:08:00+00:00",
        "2024-05-06T07:08:09Z": "2024-05-06T07:08:09+00:00",
        "2024-05-06T07:08:09.25+02:00": "2024-05-06T05:08:09.250000+00:00",
    }),
    _dated("offsets", {
        "2024-05-06T00:00:00-11:30": "2024-05-06T11:30:00+00:00",
        "2024-01-01T00:30:00+14:00": "2023-12-31T10:30:00+00:00",
        "2024-05-06T07:08:09+0200": "2024-05-06T05:08:09+00:00",
    }),
    _dated("without-a-zone", {"2024-05-06T07:08:09": "2024-05-06T07:08:09+00:00"}),
    _dated("in-small-letters-and-with-spaces", {"\n 2024-05-06t07:08:09z ": "2024-05-06T07:08:09+00:00"}),
    _dated("the-date-of-a-feed", {"Mon, 06 May 2024 07:08:09 GMT": "2024-05-06T07:08:09+00:00"}),
    _dated("days-that-do-not-exist", {"2024-02-30": None, "2023-02-29": None, "2024-13-01": None, "0000-01-01": None},
           "INVALID_DATES"),
    _dated("words-and-numbers", {"yesterday": None, "06.05.2024": None, "1714979289": None, "0": None},
           "INVALID_DATES"),
    _dated("beyond-the-calendar", {"0001-01-01T00:00:00+14:00": None, "99999-01-01": None}, "INVALID_DATES"),
    _dated("an-empty-date-is-none", {"": None, "   ": None}),
]  # fmt: skip
