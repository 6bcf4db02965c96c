"""Cases of the corpus: encodings. Bytes that mean the same pages, or one page fewer."""

from __future__ import annotations

import codecs

from tests.support.hostile.case import A, B, C, Case, Verdict, one, urlset, whole

AB = (A, B)
PAIR = urlset(A, B)
E_ACUTE = "https://example.com/%C3%A9"


def declared(encoding: str, *locs: str, declares: str | None = None) -> bytes:
    """A sitemap in an encoding, which its declaration names unless it ``declares`` another."""
    text = urlset(*locs).decode().replace("UTF-8", declares or encoding)
    return text.encode(encoding)


def _room() -> list[Case]:
    bad = urlset(A, "https://example.com/x?", B)
    return [
        one("utf-8", PAIR, AB),
        one("utf-8-with-bom", codecs.BOM_UTF8 + PAIR, AB),
        one("utf-8-with-two-boms", codecs.BOM_UTF8 * 2 + PAIR, AB),
        one("utf-16-little-endian", codecs.BOM_UTF16_LE + declared("utf-16-le", A, B, declares="UTF-16"), AB),
        one("utf-16-big-endian", codecs.BOM_UTF16_BE + declared("utf-16-be", A, B, declares="UTF-16"), AB),
        one("utf-16-without-bom", declared("utf-16-le", A, B, declares="UTF-16"), AB),
        one("utf-16-with-a-raw-ampersand",
            codecs.BOM_UTF16_LE + declared("utf-16-le", f"{A}?x=1&y=2", B, declares="UTF-16"),
            (f"{A}?x=1&y=2", B), Verdict.COMPLETE, "REPAIRED"),
        one("utf-16-cut-in-a-character",
            (codecs.BOM_UTF16_LE + declared("utf-16-le", A, B, C, declares="UTF-16"))[:-71], AB,
            Verdict.PARTIAL, "TRUNCATED"),
        one("utf-32", declared("utf-32", A, B), (), Verdict.INVALID, "NOT_A_SITEMAP"),
        one("latin-1-declared", declared("iso-8859-1", A, "https://example.com/é"), (A, E_ACUTE)),
        one("windows-1252-declared", declared("windows-1252", A, "https://example.com/€"),
            (A, "https://example.com/%E2%82%AC")),
        one("shift-jis-declared", declared("shift_jis", A, "https://example.com/ペ"),
            (A, "https://example.com/%E3%83%9A"), Verdict.COMPLETE, "REPAIRED"),
        one("gb18030-declared", declared("gb18030", A, "https://example.com/中"),
            (A, "https://example.com/%E4%B8%AD"), Verdict.COMPLETE, "REPAIRED"),
        one("an-encoding-nobody-knows", declared("utf-8", A, B, declares="utf8mb4"), AB,
            Verdict.COMPLETE, "REPAIRED"),
        *(one(f"an-encoding-that-is-{name}", declared("utf-8", A, B, declares=name), AB, Verdict.COMPLETE, "REPAIRED")
          for name in ("hex", "zip", "idna", "punycode", "rot13", "undefined")),
        one("declares-utf-16-and-is-utf-8", declared("utf-8", A, B, declares="UTF-16"), AB,
            Verdict.COMPLETE, "REPAIRED"),
        one("undeclared-bad-bytes-in-one-url", bad.replace(b"x?", b"x\xe9"), AB,
            Verdict.PARTIAL, "REPAIRED", "INVALID_URL"),
        one("bad-bytes-in-a-comment", PAIR.replace(b"<url>", b"<!-- caf\xe9 --><url>", 1), AB,
            Verdict.COMPLETE, "REPAIRED"),
        one("overlong-utf-8", bad.replace(b"x?", b"x\xc0\xaf"), AB,
            Verdict.PARTIAL, "REPAIRED", "INVALID_URL"),
        one("a-surrogate-as-utf-8", bad.replace(b"x?", b"x\xed\xa0\x80"), AB,
            Verdict.PARTIAL, "REPAIRED", "INVALID_URL"),
        one("raw-utf-8-in-a-path", urlset(A, "https://example.com/é"), (A, E_ACUTE)),
        one("a-header-that-contradicts-the-document",
            whole(urlset(A, "https://example.com/é"), "text/xml; charset=iso-8859-1"), (A, E_ACUTE)),
        one("blank-lines-before-the-declaration", b"\n\n  \r\n" + PAIR, AB),
        one("nul-bytes-between-elements", PAIR.replace(b"<url>", b"\0<url>"), AB,
            Verdict.COMPLETE, "REPAIRED"),
    ]  # fmt: skip


CASES = _room()
