"""Cases of the corpus: containers. What a sitemap comes wrapped in, whatever its name or type says."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
import zlib

from tests.support.hostile.case import A, B, C, Case, Verdict, one, urlset, whole

AB = (A, B)
PAIR = urlset(A, B)
PACKED = "application/gzip"
FIRST, SECOND = PAIR[:120], PAIR[120:]


def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def many(number: int) -> list[str]:
    """Addresses that do not compress well."""
    source = random.Random(number)
    return [f"https://example.com/{source.getrandbits(128):032x}" for _ in range(number)]


def readable(cut: bytes) -> list[str]:
    """The whole entries in a gzip that was cut."""
    text = zlib.decompressobj(31).decompress(cut)
    return [entry.split(b"<loc>")[1].split(b"</loc>")[0].decode() for entry in text.split(b"</url>")[:-1]]


def zipped(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo("sitemap.xml"), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _gzip() -> list[Case]:
    long = packed(urlset(*many(2000)))
    cut, second_cut = long[: len(long) // 2], packed(FIRST) + packed(SECOND)[:-12]
    partial, damaged = Verdict.PARTIAL, "GZIP_DAMAGED"
    return [
        one("gzip", whole(packed(PAIR), PACKED), AB, start="sitemap.xml.gz"),
        one("gzip-named-xml", whole(packed(PAIR), "text/xml"), AB),
        one("gzip-named-txt", whole(packed(f"{A}\n{B}\n".encode()), "text/plain"), AB, start="sitemap.txt"),
        one("plain-xml-named-gz", whole(PAIR, PACKED), AB, start="sitemap.xml.gz"),
        one("gzip-twice", whole(packed(packed(PAIR)), PACKED), AB, start="sitemap.xml.gz"),
        one("gzip-three-times", whole(packed(packed(packed(PAIR))), PACKED), (), Verdict.INVALID,
            "NOT_A_SITEMAP", start="sitemap.xml.gz"),
        one("gzip-in-several-members", whole(packed(FIRST) + packed(SECOND), PACKED), AB,
            start="sitemap.xml.gz"),
        one("gzip-with-zero-padding", whole(packed(PAIR) + b"\0" * 512, PACKED), AB, start="sitemap.xml.gz"),
        one("gzip-cut-in-the-middle", whole(cut, PACKED), readable(cut), partial, "TRUNCATED",
            start="sitemap.xml.gz"),
        one("gzip-cut-in-the-second-member", whole(second_cut, PACKED), AB, partial, "TRUNCATED",
            start="sitemap.xml.gz"),
        one("gzip-without-its-trailer", whole(packed(PAIR)[:-8], PACKED), AB, partial, "TRUNCATED",
            start="sitemap.xml.gz"),
        one("gzip-with-a-tail", whole(packed(PAIR) + b"<!-- cached -->", PACKED), AB, partial, damaged,
            start="sitemap.xml.gz"),
        one("gzip-with-a-wrong-checksum", whole(packed(PAIR)[:-8] + b"\0" * 8, PACKED), AB, partial,
            damaged, start="sitemap.xml.gz"),
        one("gzip-of-nothing", whole(packed(b""), PACKED), (), Verdict.INVALID, "NOT_A_SITEMAP",
            start="sitemap.xml.gz"),
        one("only-the-magic-of-gzip", whole(b"\x1f\x8b", PACKED), (), Verdict.INVALID, "TRUNCATED",
            start="sitemap.xml.gz"),
        one("zip", whole(zipped(PAIR), "application/zip"), (), Verdict.INVALID, "NOT_A_SITEMAP"),
    ]  # fmt: skip


def _codings() -> list[Case]:
    raw = zlib.compress(PAIR, wbits=-15)
    encoded = {"Content_Encoding": "gzip"}
    return [
        one("content-encoding-gzip", whole(packed(PAIR), **encoded), AB),
        one("content-encoding-on-a-gzip-file", whole(packed(packed(PAIR)), PACKED, **encoded), AB,
            start="sitemap.xml.gz"),
        one("content-encoding-gzip-of-plain-bytes", whole(PAIR, **encoded), AB),
        one("content-encoding-cut", whole(packed(PAIR)[:-12], **encoded), AB, Verdict.PARTIAL, "TRUNCATED"),
        one("content-encoding-deflate", whole(zlib.compress(PAIR), Content_Encoding="deflate"), AB),
        one("content-encoding-raw-deflate", whole(raw, Content_Encoding="deflate"), AB),
        one("content-encoding-nobody-asked-for", whole(b"\x0b\x02\x80", Content_Encoding="br"), (), Verdict.UNREACHABLE),
        one("type-html", whole(PAIR, "text/html"), AB),
        one("type-missing", whole(PAIR, ""), AB),
        one("type-image", whole(PAIR, "image/png"), AB),
        one("named-php", whole(PAIR, "text/html"), AB, start="sitemap.php"),
    ]  # fmt: skip


def _texts() -> list[Case]:
    def text(name: str, body: str | bytes, urls: tuple[str, ...] = AB, *codes: str, **more: object) -> Case:
        answer = whole(body, "text/plain; charset=utf-8")
        return one(name, answer, urls, Verdict.COMPLETE, *codes, start="sitemap.txt", **more)

    here = ("{origin}/a", "{origin}/b")
    return [
        text("text", f"{A}\n{B}\n"),
        text("text-with-bom-and-crlf", f"\ufeff{A}\r\n{B}\r\n"),
        text("text-with-carriage-returns", f"{A}\r{B}\r"),
        text("text-without-a-last-newline", f"{A}\n\n{B}"),
        text("text-in-utf-16", f"{A}\n{B}\n".encode("utf-16")),
        text("text-with-spaces-around", f"  {A}\t\n\t{B} \n"),
        text("text-with-lines-that-are-no-address", "{origin}/a\n# pages\nsome words\n{origin}/b\n", here,
             "INVALID_URL", site="{origin}/"),
        text("text-with-an-endless-line", f"{A}\n" + "x" * 200_000 + f"\n{B}\n", AB, "INVALID_URL"),
    ]  # fmt: skip


def _feeds() -> list[Case]:
    more = "<title>New</title><pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate>"
    rss = f"<item>{more}<link>{A}</link></item><item>{more}<link>{B}</link></item>"
    dated = "<title>New</title><updated>2024-05-06T07:08:09Z</updated>"
    atom = (
        f'<entry>{dated}<link href="{A}"/></entry>'
        f'<entry>{dated}<link rel="self" href="{C}"/><link href="{B}"/></entry>'
    )
    rdf = f'<item rdf:about="x"><link>{A}</link></item><item><link>{B}</link></item>'
    return [
        one("rss", whole(f'<rss version="2.0"><channel><title>News</title><link>{C}</link>{rss}</channel></rss>',
            "application/rss+xml"), AB, Verdict.FEED, "FEED", start="feed.xml"),
        one("atom", whole(f'<feed xmlns="http://www.w3.org/2005/Atom"><link href="{C}"/>{atom}</feed>',
            "application/atom+xml"), AB, Verdict.FEED, "FEED", start="feed.xml"),
        one("rdf", whole(f'<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/"><channel><link>{C}</link>'
            f"</channel>{rdf}</rdf:RDF>", "application/rdf+xml"), AB, Verdict.FEED, "FEED", start="feed.xml"),
        one("rss-cut", whole(f'<rss version="2.0"><channel>{rss}'[:-10], "application/rss+xml"), (A,),
            Verdict.PARTIAL, "TRUNCATED", "FEED", start="feed.xml"),
    ]  # fmt: skip


CASES = [*_gzip(), *_codings(), *_texts(), *_feeds()]
