"""Cases of the corpus: XML. Documents that are odd and whole, or look whole and are not."""

from __future__ import annotations

from tests.support.hostile.case import A, B, C, Case, Verdict, one, urlset, whole
from tests.support.hostile.server import OK, pours
from tests.support.sitemaps import NS

AB, ABC = (A, B), (A, B, C)
PAIR, TRIPLE = urlset(A, B), urlset(A, B, C)
BODY = f"<url><loc>{A}</loc></url><url><loc>{B}</loc></url>"
PARTIAL, INVALID = Verdict.PARTIAL, Verdict.INVALID
MEGABYTE = 1024 * 1024


def _namespaces() -> list[Case]:
    def under(name: str, attributes: str) -> Case:
        return one(name, urlset(A, B, attributes=attributes), AB)

    prefixed = BODY.replace("<", "<s:").replace("<s:/", "</s:")
    return [
        under("namespace-missing", ""),
        under("namespace-of-google", 'xmlns="http://www.google.com/schemas/sitemap/0.84"'),
        under("namespace-https", 'xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"'),
        under("namespace-misspelled", 'xmlns="http://www.sitemap.org/schemas/sitemap/0.9/"'),
        one("namespace-prefixed", f'<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9">'
            f"{prefixed}</s:urlset>", AB),
        one("extensions", f"""<urlset {NS} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
            xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
            xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
            <url><image:image><image:loc>{C}</image:loc></image:image><loc>{A}</loc>
            <xhtml:link rel="alternate" hreflang="de" href="{C}"/></url>
            <url><loc>{B}</loc><video:video><video:content_loc>{C}</video:content_loc>
            <video:player_loc>{C}</video:player_loc></video:video><news:news><news:title>{C}</news:title></news:news>
            </url></urlset>""", AB),
        one("a-loc-inside-an-extension", f"<urlset {NS}><url><loc>{A}</loc><image><loc>{C}</loc></image></url>"
            f"<url><loc>{B}</loc></url></urlset>", AB),
        one("upper-case-elements", PAIR.replace(b"loc>", b"LOC>").replace(b"url", b"URL"), (), INVALID,
            "NOT_A_SITEMAP"),
    ]  # fmt: skip


def _misplaced() -> list[Case]:
    """A reader that takes the pages from wherever they stand may be right as well, so these are ours."""

    def lost(name: str, inner: str, urls: tuple[str, ...] = (B,), attributes: str = NS) -> Case:
        body = f"<urlset {attributes}>{inner}<url><loc>{B}</loc></url></urlset>"
        return one(name, body, urls, PARTIAL, "MISPLACED", ours=True)

    both = f'{NS} xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"'
    entry = f"<url><loc>{A}</loc></url>"
    return [
        lost("entries-under-a-second-prefix", f"<s:url><s:loc>{A}</s:loc></s:url>", attributes=both),
        lost("an-entry-in-upper-case", f"<URL><LOC>{A}</LOC></URL>"),
        lost("entries-in-a-wrapper", f"<urls>{entry}</urls>"),
        lost("a-urlset-inside-a-urlset", f"<urlset>{entry}</urlset>"),
        lost("an-entry-inside-an-entry", f"<url><loc>{C}</loc>{entry}</url>", (C, B)),
        lost("a-loc-without-an-entry", f"<loc>{A}</loc>"),
        one("only-entries-in-upper-case", f"<urlset {NS}><URL><LOC>{A}</LOC></URL></urlset>", (), INVALID,
            "MISPLACED", ours=True),
        one("a-loc-in-a-wrapper", f"<urlset {NS}><url><wrapper><loc>{A}</loc></wrapper></url>{BODY}</urlset>", AB,
            PARTIAL, "MISPLACED", "INVALID_URL", ours=True),
        one("a-loc-in-a-wrapper-beside-an-empty-one", f"<urlset {NS}><url><loc/><page><at><loc>{C}</loc></at></page>"
            f"</url>{BODY}</urlset>", AB, PARTIAL, "MISPLACED", "INVALID_URL", ours=True),
        one("a-loc-without-the-prefix-of-its-entry", f"<s:urlset {both}><s:url><loc>{C}</loc></s:url><s:url>"
            f"<s:loc>{A}</s:loc></s:url></s:urlset>", (A,), PARTIAL, "MISPLACED", "INVALID_URL", ours=True),
        one("an-image-without-its-page", f'<urlset {NS} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
            f"<url><image:image><image:loc>{C}</image:loc></image:image></url>{BODY}</urlset>", AB,
            PARTIAL, "INVALID_URL", ours=True),
        one("a-loc-under-a-second-prefix", f"<urlset {both}><url><s:loc>{A}</s:loc></url>{BODY}</urlset>", AB,
            PARTIAL, "MISPLACED", "INVALID_URL", ours=True),
    ]  # fmt: skip


def _oddities() -> list[Case]:
    return [
        one("comments-and-stylesheet", PAIR.replace(b"?>", b'?><?xml-stylesheet href="s.xsl"?><!-- <url> -->', 1)
            + b"<!-- made in 0.2 s -->\n", AB),
        one("a-url-commented-out", PAIR.replace(b"<url>", f"<!-- <url><loc>{C}</loc></url> --><url>".encode(), 1),
            AB),
        one("white-space-around-loc", urlset(f"\n   {A}\n", f"\t{B}  "), AB),
        one("cdata", urlset(f"<![CDATA[{A}]]>", f" <![CDATA[{B}?x=1&y=2]]> "), (A, f"{B}?x=1&y=2")),
        one("escaped-ampersands", urlset(f"{A}?x=1&amp;y=2", f"{A}?x=1&#38;y=3", f"{A}?x=1&#x26;y=4"),
            (f"{A}?x=1&y=2", f"{A}?x=1&y=3", f"{A}?x=1&y=4")),
        one("a-comment-inside-loc", urlset(A, "https://example.com/<!-- here -->b"), AB),
        one("raw-ampersand", urlset(A, f"{B}?x=1&y=2", C), (A, f"{B}?x=1&y=2", C), Verdict.COMPLETE, "REPAIRED"),
        one("an-html-entity", urlset(A, f"{B}?x=1&copy=2", C), (A, f"{B}?x=1&copy=2", C), Verdict.COMPLETE,
            "REPAIRED"),
        one("control-character", urlset(A, "https://example.com/\x0bb", C), ABC, Verdict.COMPLETE, "REPAIRED"),
        one("control-character-by-number", urlset(A, "https://example.com/&#x1;b", C), ABC, Verdict.COMPLETE,
            "REPAIRED"),
        one("an-entry-without-loc", PAIR.replace(b"<url>", b"<url/><url>", 1), AB, PARTIAL, "INVALID_URL", ours=True),
        one("an-empty-loc", urlset(A, "", B), AB, PARTIAL, "INVALID_URL", ours=True),
        one("two-locs-in-an-entry", PAIR.replace(b"</loc>", f"</loc><loc>{C}</loc>".encode(), 1), AB, PARTIAL,
            "MISPLACED"),
        one("an-empty-urlset", urlset(), (), Verdict.EMPTY),
        one("a-urlset-closed-at-once", f"<urlset {NS}/>", (), Verdict.EMPTY),
        one("an-empty-urlset-of-comments", f"<urlset {NS}>\n<!-- no posts yet -->\n</urlset>\n", (), Verdict.EMPTY),
        one("xml-1.1", PAIR.replace(b'"1.0"', b'"1.1"'), AB),
        one("a-declaration-in-the-wrong-order", b'<?xml encoding="UTF-8" version="1.0"?>' + PAIR.split(b"?>", 1)[1],
            AB, Verdict.COMPLETE, "REPAIRED"),
        one("two-declarations", b'<?xml version="1.0"?>\n' + PAIR, AB, Verdict.COMPLETE, "REPAIRED"),
        one("html-entities-by-name", urlset("https://example.com/caf&eacute;", B),
            ("https://example.com/caf%C3%A9", B), Verdict.COMPLETE, "REPAIRED"),
        one("all-on-one-line-of-a-megabyte", PAIR.replace(b"<url>", b" " * MEGABYTE + b"<url>"), AB),
    ]  # fmt: skip


def _damage() -> list[Case]:
    def cut(name: str, document: bytes, *urls: str) -> Case:
        return one(name, document, urls, PARTIAL if urls else INVALID, "TRUNCATED")

    warning = b"<br />\n<b>Warning</b>: mysql_connect() in <b>/srv/x.php</b> on line <b>3</b><br />\n"
    return [
        cut("cut-in-a-loc", TRIPLE[:-30], *AB),
        cut("cut-between-entries", TRIPLE[: -len("</urlset>")], *ABC),
        cut("cut-in-the-last-tag", TRIPLE[:-1], *ABC),
        cut("cut-after-the-first-tag", TRIPLE[:100]),
        cut("cut-in-the-declaration", TRIPLE[:20]),
        cut("cut-in-a-comment", PAIR.removesuffix(b"</urlset>") + b"<!-- the rest", *AB),
        cut("cut-in-cdata", TRIPLE.replace(C.encode(), b"<![CDATA[" + C.encode())[:-30], *AB),
        one("cut-after-a-raw-ampersand", urlset(f"{A}?x=1&y=2", B, C)[:-30], (f"{A}?x=1&y=2", B), PARTIAL,
            "REPAIRED", "TRUNCATED"),
        one("php-warning-before", warning + PAIR, AB, PARTIAL, "JUNK_BEFORE_XML"),
        one("php-notice-in-the-middle", PAIR.replace(b"</url><url>", b"</url>" + warning + b"<url>"), AB),
        one("junk-after-the-root", PAIR + b"<b>Fatal error</b>", AB, PARTIAL, "JUNK_AFTER_ROOT"),
        one("two-documents", PAIR + urlset(C), AB, PARTIAL, "JUNK_AFTER_ROOT"),
        one("mismatched-tags", TRIPLE.replace(b"</loc></url></urlset>", b"</url></urlset>"), AB, PARTIAL,
            "MALFORMED"),
        one("an-unescaped-less-than", urlset(A, f"{B}?x<y", C), (A,), PARTIAL, "REPAIRED", "MALFORMED"),
    ]  # fmt: skip


def _strangers() -> list[Case]:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    xhtml = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><a href="/x">x</a></body></html>'

    def stranger(name: str, body: str | bytes, kind: str = "text/html") -> Case:
        return one(name, whole(body, kind), (), INVALID, "NOT_A_SITEMAP")

    return [
        stranger("html-error-page", f'<!DOCTYPE html><html><body><a href="{A}">Not found</a></body></html>'),
        stranger("html-without-doctype", f"<html><body>{A}</body></html>"),
        stranger("xhtml-with-a-declaration", xhtml),
        stranger("json", f'{{"error": "not found", "see": "{A}"}}', "application/json"),
        stranger("plain-words", f"Service unavailable, see {A}", "text/plain"),
        stranger("an-xml-error", "<Error><Code>AccessDenied</Code></Error>", "application/xml"),
        stranger("nothing-at-all", b""),
        stranger("only-white-space", b"\n\n   \n"),
        stranger("an-image", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        stranger("opensearch", f'<OpenSearchDescription><Url template="{A}"/></OpenSearchDescription>'),
        one("doctype-with-an-entity", f'<!DOCTYPE urlset [<!ENTITY a "{C}">]><urlset {NS}>{BODY}<url><loc>&a;</loc>'
            "</url></urlset>", (), INVALID, "DOCTYPE"),
        one("billion-laughs", f'<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY l0 "ha">{laughs}]><urlset {NS}>'
            "<url><loc>https://example.com/&l9;</loc></url></urlset>", (), INVALID, "DOCTYPE", heavy=True),
        one("an-external-entity", '<!DOCTYPE urlset [<!ENTITY a SYSTEM "{inside}/sitemap.xml">]>'
            f"<urlset {NS}><url><loc>{A}&a;</loc></url></urlset>", (), INVALID, "DOCTYPE"),
    ]  # fmt: skip


def _giants() -> list[Case]:
    start = OK + b"\r\n" + urlset(A).removesuffix(b"</urlset>")
    rest = f"<url><loc>{B}</loc></url></urlset>".encode()

    def giant(
        name: str,
        before: bytes,
        after: bytes,
        urls: tuple[str, ...],
        verdict: Verdict,
        *codes: str,
        ours: bool = False,
    ) -> Case:
        answer = pours(start + before, b"x" * MEGABYTE, limit=40, after=after + rest)
        return one(name, answer, urls, verdict, *codes, heavy=True, ours=ours)

    run = f"<url><loc>{A}</loc></url>" * 1500 + " " * 65536
    return [
        one("comments-full-of-ends-of-entries", f"<urlset {NS}><url><loc>{A}</loc></url>"
            + f"<!--{'</url>' * 66_000}-->" * 20 + f"<url><loc>{B}</loc></url></urlset>", AB, heavy=True),
        one("ever-new-names", f"<urlset {NS}>{BODY}" + "".join(f"<x{n:x}/>" for n in range(200_000)) + "</urlset>",
            AB, PARTIAL, "MALFORMED", heavy=True, ours=True),
        one("wide-gaps-between-runs-of-entries", f"<urlset {NS}>{run * 80}<url><loc>{B}</loc></url></urlset>", AB,
            heavy=True),
        giant("a-loc-of-40-megabytes", b"<url><loc>https://example.com/", b"</loc></url>", AB, Verdict.COMPLETE,
              "INVALID_URL"),
        giant("a-comment-of-40-megabytes", b"<!--", b"-->", (A,), PARTIAL, "MALFORMED"),
        giant("an-attribute-of-40-megabytes", b'<url x="', b'"/>', (A,), PARTIAL, "MALFORMED"),
        giant("a-name-of-40-megabytes", b"<", b"/>", (A,), PARTIAL, "MALFORMED"),
        giant("a-text-of-40-megabytes", b"<url><note>", b"</note></url>", AB, PARTIAL, "INVALID_URL", ours=True),
        one("nested-a-hundred-thousand-deep", f"<urlset {NS}>{BODY}" + "<url>" * 100_000, AB, PARTIAL, "MALFORMED",
            heavy=True),
    ]  # fmt: skip


CASES = [*_namespaces(), *_misplaced(), *_oddities(), *_damage(), *_strangers(), *_giants()]
