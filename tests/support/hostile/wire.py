"""Cases of the corpus: the wire. Servers that cut, stall, drip, pour, send elsewhere, or say no."""

from __future__ import annotations

import gzip

from tests.support.hostile.case import A, Answer, B, Case, Verdict, one, tree, urlset, whole
from tests.support.hostile.server import OK, drips, pours, resets, says, stalls

AB = (A, B)
PAIR = urlset(A, B)
START = urlset(A, B).removesuffix(b"</urlset>")
PARTIAL, UNREACHABLE, REFUSED = Verdict.PARTIAL, Verdict.UNREACHABLE, Verdict.REFUSED
MEGABYTE = 1024 * 1024


def bomb(start: bytes, megabytes: int, layers: int = 1) -> bytes:
    """``start`` and then spaces, in so many layers of gzip; made of members, so that it is made at once."""
    data = gzip.compress(start, mtime=0) + gzip.compress(b" " * MEGABYTE, mtime=0) * megabytes
    return data if layers == 1 else gzip.compress(data, mtime=0)


def _statuses() -> list[Case]:
    def says_no(status: int, **headers: str) -> Case:
        name = f"status-{status}" + "".join(f"-{header.lower()}" for header in headers)
        return one(name.replace("_", "-"), whole("no", "text/plain", status, **headers), (), UNREACHABLE)

    return [
        says_no(404), says_no(410), says_no(401), says_no(403), says_no(429), says_no(500), says_no(503),
        says_no(429, Retry_After="86400"), says_no(503, Retry_After="Fri, 31 Dec 2100 23:59:59 GMT"),
        one("status-304-that-nobody-asked-for", Answer(status=304), (), UNREACHABLE),
        one("status-204", says(b"HTTP/1.1 204 No Content\r\n\r\n"), (), UNREACHABLE),
        one("status-206", whole(PAIR, status=206), (), UNREACHABLE),
        one("a-sitemap-with-status-500", whole(PAIR, status=500), (), UNREACHABLE),
    ]  # fmt: skip


def _cuts() -> list[Case]:
    length = b"Content-Length: %d\r\n\r\n" % len(PAIR)
    chunked = OK + b"Transfer-Encoding: chunked\r\n\r\n"
    return [
        one("no-length-and-a-close", says(OK + b"\r\n" + PAIR), AB),
        one("chunks", says(chunked + b"%x\r\n%b\r\n0\r\n\r\n" % (len(PAIR), PAIR)), AB),
        one("http-1.0", says(b"HTTP/1.0 200 OK\r\n\r\n" + PAIR), AB),
        one("a-text-that-a-close-ends-in-a-line", says(OK + b"\r\n" + f"{A}\n{B}\nhttps://exam".encode()), AB, PARTIAL,
            "TRUNCATED"),
        *(one(f"a-text-that-a-close-ends-behind-{name}", says(OK + header + f"\r\n\r\n{A}\n{B}\nhttps://exam".encode()),
              AB, PARTIAL, "TRUNCATED")
          for name, header in (("a-length-that-is-none", b"Content-Length: abc"),
                               ("a-coding-that-is-none", b"Transfer-Encoding: identity"))),
        one("a-sitemap-after-early-hints", says(b"HTTP/1.1 103 Early Hints\r\n\r\n" + OK + length + PAIR), AB),
        one("a-text-that-a-close-ends-after-a-line", says(OK + b"\r\n" + f"{A}\n{B}\n".encode()), AB),
        one("a-text-with-a-length-and-no-last-line-end",
            says(OK + b"Content-Length: %d\r\n\r\n%b" % (len(A) + 1 + len(B), f"{A}\n{B}".encode())), AB),
        one("shorter-than-its-length", says(OK + length + PAIR[:-30]), (A,), PARTIAL, "TRUNCATED"),
        one("whole-but-shorter-than-its-length", says(OK + b"Content-Length: 9000\r\n\r\n" + PAIR), AB, PARTIAL,
            "TRUNCATED"),
        one("longer-than-its-length", says(OK + b"Content-Length: 170\r\n\r\n" + PAIR), (A,), PARTIAL, "TRUNCATED"),
        one("chunks-that-end-early", says(chunked + b"%x\r\n%b\r\n" % (len(PAIR), PAIR)), AB, PARTIAL, "TRUNCATED"),
        one("a-chunk-that-ends-early", says(chunked + b"ffff\r\n" + PAIR[:-30]), (A,), PARTIAL, "TRUNCATED"),
        one("chunks-without-a-number", says(chunked + b"zz\r\n" + PAIR), (), UNREACHABLE),
        one("torn-down-in-the-middle", resets(OK + length + PAIR[:-30]), (A,), PARTIAL, "TRUNCATED"),
        one("torn-down-at-once", resets(b""), (), UNREACHABLE),
        one("hung-up-without-a-word", says(b""), (), UNREACHABLE),
        one("not-http", says(b"SSH-2.0-OpenSSH_9.2\r\n"), (), UNREACHABLE),
        one("cut-in-the-head", says(b"HTTP/1.1 200 OK\r\nContent-Ty"), (), Verdict.INVALID, "NOT_A_SITEMAP"),
        one("a-soft-404", whole("<!doctype html><html><title>Oops</title></html>", "text/html"), (),
            Verdict.INVALID, "NOT_A_SITEMAP"),
    ]  # fmt: skip


def _slow() -> list[Case]:
    length = b"Content-Length: 9000\r\n\r\n"
    return [
        one("silent", stalls(b""), (), UNREACHABLE, seconds=1.0),
        one("silent-after-the-head", stalls(OK + length), (), UNREACHABLE, seconds=1.0),
        one("silent-in-the-middle", stalls(OK + length + START), AB, PARTIAL, "TIMEOUT", seconds=1.0),
        one("a-head-that-drips", drips(OK + b"X-Slow: ", b"x"), (), UNREACHABLE, seconds=1.0),
        one("a-head-of-endless-lines", pours(OK, b"X-Many: x\r\n" * 1000), (), UNREACHABLE, seconds=3.0),
        one("a-head-of-one-endless-line", pours(OK + b"X-Long: ", b"x" * 65536), (), UNREACHABLE, seconds=3.0),
        one("a-body-that-drips", drips(OK + b"\r\n" + START, b" "), AB, PARTIAL, "TIMEOUT", seconds=1.0),
        one("chunk-sizes-that-drip", drips(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"0"), (), UNREACHABLE, seconds=1.0),
        one("slow-and-honest", drips(OK + b"\r\n", PAIR, every=0.002, times=1), AB),
    ]  # fmt: skip


def _floods() -> list[Case]:
    large = "DOCUMENT_TOO_LARGE"
    flood = {"heavy": True}
    encoded = whole(bomb(START, 1024), Content_Encoding="gzip")
    return [
        one("a-gzip-bomb", whole(bomb(START, 1024), "application/gzip"), AB, PARTIAL, large, start="sitemap.xml.gz",
            **flood),
        one("a-gzip-bomb-in-a-gzip", whole(bomb(START, 2048, layers=2), "application/gzip"), AB, PARTIAL, large,
            start="sitemap.xml.gz", **flood),
        one("a-content-encoding-bomb", encoded, AB, PARTIAL, large, **flood),
        one("a-bomb-of-nothing-but-spaces", whole(bomb(b"", 1024), "application/gzip"), (), Verdict.INVALID, "NOT_A_SITEMAP", start="sitemap.xml.gz", **flood),
        one("an-endless-body", pours(OK + b"\r\n" + START, b" " * MEGABYTE), AB, PARTIAL, large, **flood),
        one("a-flood-of-pages", pours(OK + b"\r\n" + START, f"<url><loc>{A}</loc></url>".encode() * 20_000, limit=8,
            after=b"</urlset>"), AB, **flood),
        one("a-flood-of-bad-urls", pours(OK + b"\r\n" + START, b"<url><loc>ftp://x</loc></url>" * 20_000, limit=3,
            after=b"</urlset>"), AB, Verdict.COMPLETE, "INVALID_URL", "MORE_PROBLEMS", **flood),
        one("an-endless-text", pours(OK + b"\r\n" + f"{A}\n{B}\n".encode(), b"\n" * MEGABYTE), AB, PARTIAL, large,
            start="sitemap.txt", **flood),
        one("an-endless-line", pours(OK + b"\r\n", b"https://example.com/" + b"x" * MEGABYTE), (), Verdict.INVALID,
            "NOT_A_SITEMAP", start="sitemap.txt", **flood),
        one("endless-chunks", pours(OK + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n" % (len(START), START),
            b"100000\r\n" + b" " * MEGABYTE + b"\r\n"), AB, PARTIAL, large, **flood),
    ]  # fmt: skip


def _redirects() -> list[Case]:
    def to(where: str, status: int = 302) -> Answer:
        return whole(PAIR, status=status, Location=where)

    def hops(number: int) -> dict[str, Answer]:
        chain = {f"{n}.xml": to(f"{{base}}/{n + 1}.xml") for n in range(1, number)}
        return {"sitemap.xml": to("{base}/1.xml"), **chain, f"{number}.xml": whole(PAIR)}

    def refused(name: str, where: str) -> Case:
        return one(name, to(where), (), REFUSED)

    return [
        *(tree(f"a-redirect-{status}", {"sitemap.xml": to("{base}/new.xml", status), "new.xml": whole(PAIR)}, AB)
          for status in (301, 302, 303, 307, 308)),
        tree("a-relative-redirect", {"sitemap.xml": to("new.xml?x=1"), "new.xml": whole(PAIR)}, AB),
        tree("a-redirect-to-another-host", {"sitemap.xml": to("{other}/new.xml"), "new.xml": whole(PAIR)}, AB),
        tree("relative-urls-after-a-redirect", {"sitemap.xml": to("{base}/maps/new.xml"),
            "maps/new.xml": whole(urlset("c"))}, ("{base}/maps/c",), site="{origin}/"),
        tree("five-redirects", hops(5), AB),
        tree("too-many-redirects", hops(6), (), UNREACHABLE, ours=True),
        tree("a-redirect-loop", {"sitemap.xml": to("{base}/1.xml"), "1.xml": to("{base}/sitemap.xml")}, (), UNREACHABLE),
        one("a-redirect-to-itself", to("{base}/sitemap.xml"), (), UNREACHABLE),
        one("a-redirect-to-nowhere", whole(PAIR, status=302), (), UNREACHABLE),
        one("a-redirect-that-is-no-address", to("http://["), (), UNREACHABLE),
        refused("a-redirect-inside", "{inside}/sitemap.xml"),
        refused("a-redirect-to-localhost", "http://localhost/sitemap.xml"),
        refused("a-redirect-to-the-metadata-address", "http://169.254.169.254/latest/meta-data/"),
        refused("a-redirect-to-an-address-in-disguise", "http://2130706433/sitemap.xml"),
        refused("a-redirect-to-a-mapped-address", "http://[::ffff:127.0.0.1]/sitemap.xml"),
        refused("a-redirect-to-a-file", "file:///etc/passwd"),
        refused("a-redirect-with-a-password", "http://alice:secret@example.com/sitemap.xml"),
        refused("a-redirect-to-another-port", "http://example.com:22/sitemap.xml"),
    ]  # fmt: skip


CASES = [*_statuses(), *_cuts(), *_slow(), *_floods(), *_redirects()]
