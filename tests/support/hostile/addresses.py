"""Cases of the corpus: URLs. Spellings of one address, and texts that are none."""

from __future__ import annotations

from tests.support.hostile.case import A, B, Case, Verdict, one, urlset

COMPLETE = Verdict.COMPLETE
E = "https://example.com"


def _spelled(name: str, *locs: str, becomes: tuple[str, ...]) -> Case:
    return one(name, urlset(*locs), becomes)


def _spellings() -> list[Case]:
    return [
        _spelled("host-and-scheme-in-capitals", "HTTPS://EXAMPLE.com/A", becomes=(f"{E}/A",)),
        _spelled("default-ports", f"{E}:443/a", "http://example.com:80/a", becomes=(A, "http://example.com/a")),
        _spelled("another-port-stays", f"{E}:8443/a", becomes=(f"{E}:8443/a",)),
        _spelled("a-port-that-is-empty", f"{E}:/a", becomes=(A,)),
        _spelled("fragments", f"{A}#top", f"{B}#", becomes=(A, B)),
        _spelled("dot-segments", f"{E}/x/../a", f"{E}/./x/./../b", f"{E}/../../c", becomes=(A, B, f"{E}/c")),
        _spelled("percent-encoding-in-small-letters", f"{E}/%c3%a9", becomes=(f"{E}/%C3%A9",)),
        _spelled("percent-encoding-without-need", f"{E}/%7Ealice/%61", becomes=(f"{E}/~alice/a",)),
        _spelled("percent-encoding-that-must-stay", f"{E}/a%2Fb?x=%26", becomes=(f"{E}/a%2Fb?x=%26",)),
        _spelled("a-percent-sign-alone", f"{E}/100%", becomes=(f"{E}/100%25",)),
        _spelled("spaces-inside", f"{E}/a b", becomes=(f"{E}/a%20b",)),
        _spelled("idn", "https://shop.bücher.example.com/a", becomes=("https://shop.xn--bcher-kva.example.com/a",)),
        _spelled("no-path", E, f"{E}?x=1", becomes=(f"{E}/", f"{E}/?x=1")),
        _spelled("a-trailing-slash-is-another-page", A, f"{A}/", becomes=(A, f"{A}/")),
        _spelled("the-order-of-a-query-stays", f"{A}?b=1&amp;a=2", becomes=(f"{A}?b=1&a=2",)),
        _spelled("an-empty-query", f"{A}?", becomes=(A,)),
        _spelled("a-host-with-a-last-dot", "https://example.com./a", becomes=(A,)),
        _spelled("one-address-in-many-spellings", A, f"{A}#x", "HTTPS://example.com/a", f"{E}:443/%61", becomes=(A,)),
        _spelled("marks-that-nobody-sees-around-an-address", f"\u200b{A}", f"{B}\u200e", f"\xa0{E}/c\u2060",
                 becomes=(A, B, f"{E}/c")),
        _spelled("subdomains-belong-to-the-site", "https://blog.example.com/a", "https://www.example.com/b",
                 becomes=("https://blog.example.com/a", "https://www.example.com/b")),
    ]  # fmt: skip


def _unusable() -> list[Case]:
    def with_good_urls(name: str, *locs: str, **more: object) -> Case:
        """Addresses that cannot be used between two that can."""
        return one(name, urlset(A, *locs, B), (A, B), COMPLETE, "INVALID_URL", **more)

    return [
        with_good_urls("schemes-that-are-no-web", "mailto:a@example.com", "ftp://example.com/a", "javascript:alert(1)",
               "data:text/html,x", "tel:1"),
        with_good_urls("a-url-that-is-too-long", f"{A}/{'x' * 2048}"),
        with_good_urls("a-password", "https://alice:secret@example.com/"),
        with_good_urls("ports-that-are-none", f"{E}:99999/", f"{E}:x/", f"{E}:0/"),
        with_good_urls("hosts-that-are-none", "https://-x-.com/", "https://"),
        with_good_urls("addresses-in-disguise", "http://2130706433/", "http://0x7f.1/", "http://[::1%25lo]/"),
        with_good_urls("a-template-that-was-never-filled", "https://{{ host }}/{{ path }}"),
    ]  # fmt: skip


def _damaged() -> list[Case]:
    """What was an address once may be that of a page that is known: the reading is not complete."""

    def with_good_urls(name: str, *locs: str) -> Case:
        return one(name, urlset(A, *locs, B), (A, B), Verdict.PARTIAL, "INVALID_URL", ours=True)

    return [
        with_good_urls("two-addresses-in-a-loc", f"{E}/c {E}/d", f"{E}/c\n{E}/d"),
        with_good_urls("an-address-in-quotation-marks", f"\u201c{E}/c\u201d", f"&quot;{E}/c&quot;"),
        with_good_urls("an-address-behind-words", f"Link: {E}/c", f"the page {E}/c"),
        with_good_urls("an-address-without-its-scheme", "www.example.com/c", "https//example.com/c"),
        with_good_urls("a-host-with-a-space", "https://exa mple.com/"),
        one("a-backslash", urlset("https://example.com\\@evil.example/"), (f"{E}/@evil.example/",), ours=True),
        one("a-line-break-or-tab-inside", urlset(f"{E}/a\nb", f"{E}/a\tc"), (f"{E}/ab", f"{E}/ac"), ours=True),
        one("one-slash-behind-the-scheme", urlset("https:/example.com/c"), (f"{E}/c",), ours=True),
        one("the-own-host-without-a-scheme", urlset(A, "{host}/c", B), (A, B), Verdict.PARTIAL, "INVALID_URL",
            ours=True),
        one("two-addresses-in-a-line-of-text", f"{A}\n{E}/c {E}/d\n{B}\n", (A, B), Verdict.PARTIAL, "INVALID_URL",
            ours=True),
        one("an-address-inside-an-address", urlset(f"{E}/web/{A}", f"{E}/go?to={B}"),
            (f"{E}/web/{A}", f"{E}/go?to={B}"), ours=True),
        one("an-address-inside-a-relative-one", urlset(f"/go?to={A}"), (f"{{origin}}/go?to={A}",), site="{origin}/",
            ours=True),
    ]  # fmt: skip


def _relative() -> list[Case]:
    urls = ("{origin}/a", "{base}/b", "{origin}/c")
    name = "relative-to-the-sitemap"
    return [
        one(name, urlset("/a", "b", "//{host}/c"), urls, site="{origin}/"),
        one("other-sites-are-left-out", urlset(A, "https://other.example.org/a", "https://notexample.com/", B),
            (A, B), COMPLETE, "OTHER_SITE", ours=True),
    ]  # fmt: skip


CASES = [*_spellings(), *_unusable(), *_damaged(), *_relative()]
