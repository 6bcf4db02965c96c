"""Cases of the corpus: index trees. Children that are missing, repeated, endless, or somebody else's."""

from __future__ import annotations

from app.pages.sitemaps.report import Limits
from tests.support.hostile.case import A, Answer, B, C, Case, Verdict, index, one, tree, urlset, whole
from tests.support.hostile.server import OK, resets, stalls

AB, ABC = (A, B), (A, B, C)
PARTIAL, INVALID, COMPLETE = Verdict.PARTIAL, Verdict.INVALID, Verdict.COMPLETE
ONE, TWO = "{base}/one.xml", "{base}/two.xml"
OA, OB, OC = urlset(A), urlset(B), urlset(C)


def _shapes() -> list[Case]:
    return [
        tree("an-index", {"sitemap.xml": index(ONE, TWO), "one.xml": OA, "two.xml": OB}, AB),
        tree("an-index-named-otherwise", {"sitemap_index.xml": index("{base}/posts.xml?page=1&amp;of=2"),
            "posts.xml": urlset(A, B)}, AB),
        tree("nested", {"sitemap.xml": index(ONE), "one.xml": index(TWO), "two.xml": urlset(A, B)}, AB),
        tree("nested-to-the-depth-that-is-read", {"sitemap.xml": index("{base}/1.xml"),
            "1.xml": index("{base}/2.xml"), "2.xml": index("{base}/3.xml"), "3.xml": OA}, (A,)),
        tree("nested-too-deep", {"sitemap.xml": index(ONE, "{base}/1.xml"), "one.xml": OA,
            "1.xml": index("{base}/2.xml"), "2.xml": index("{base}/3.xml"), "3.xml": index("{base}/4.xml"),
            "4.xml": OB}, (A,), PARTIAL, "DEPTH_LIMIT", ours=True),
        tree("relative-children", {"sitemap.xml": index("one.xml", "./two.xml"), "one.xml": OA, "two.xml": OB}, AB),
        tree("a-child-in-gzip", {"sitemap.xml": index(ONE), "one.xml": urlset(A, B)}, AB),
        tree("pages-and-sitemaps-in-one-document", {"sitemap.xml": urlset(A).replace(b"</urlset>",
            b"<sitemap><loc>{base}/one.xml</loc></sitemap></urlset>"), "one.xml": OB}, AB),
        tree("a-child-on-another-host", {"sitemap.xml": index("{other}/one.xml", TWO), "one.xml": OA,
            "two.xml": OB}, AB),
        tree("a-child-that-is-a-text", {"sitemap.xml": index("{base}/one.txt"),
            "one.txt": whole(f"{A}\n{B}\n", "text/plain")}, AB),
        tree("a-child-that-is-a-feed", {"sitemap.xml": index(ONE, "{base}/feed.xml"), "one.xml": OA,
            "feed.xml": whole(f"<rss><channel><item><link>{B}</link></item></channel></rss>")}, AB, Verdict.FEED,
            "FEED"),
        tree("a-prefixed-index", {"sitemap.xml": b'<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>{base}/one.xml'
            b"</s:loc></s:sitemap></s:sitemapindex>", "one.xml": urlset(A, B)}, AB),
        one("an-index-of-nothing", index(), (), Verdict.EMPTY),
        tree("an-index-of-empty-sitemaps", {"sitemap.xml": index(ONE, TWO), "one.xml": urlset(),
            "two.xml": urlset()}, (), Verdict.EMPTY),
    ]  # fmt: skip


def _circles() -> list[Case]:
    again = "REPEATED_CHILD"
    trap = {"sitemap.xml": index("{base}/t0.xml", "{base}/t1.xml", ONE), "one.xml": OA}
    for name in ("t0", "t1", *(f"t{a}{b}" for a in "01" for b in "01"),
                 *(f"t{a}{b}{c}" for a in "01" for b in "01" for c in "01")):  # fmt: skip
        trap[f"{name}.xml"] = index(f"{{base}}/{name}0.xml", f"{{base}}/{name}1.xml")
    return [
        tree("an-index-that-names-itself", {"sitemap.xml": index("{base}/sitemap.xml", ONE), "one.xml": OA}, (A,),
             COMPLETE, again),
        tree("a-circle", {"sitemap.xml": index(ONE), "one.xml": index(TWO), "two.xml": index("{base}/sitemap.xml",
            "{base}/three.xml"), "three.xml": OA}, (A,), COMPLETE, again),
        tree("a-child-listed-twice", {"sitemap.xml": index(ONE, ONE, TWO), "one.xml": OA, "two.xml": OB}, AB,
             COMPLETE, again),
        tree("a-child-in-two-spellings", {"sitemap.xml": index(ONE, "{base}/x/../one.xml#top"), "one.xml": OA}, (A,),
             COMPLETE, again),
        tree("a-child-that-leads-back", {"sitemap.xml": index(ONE, TWO), "one.xml": OA,
            "two.xml": Answer(status=301, headers={"Location": "{base}/sitemap.xml"})}, (A,), COMPLETE, again),
        tree("a-tree-that-grows-for-ever", trap, (A,), PARTIAL, "DEPTH_LIMIT", ours=True),
    ]  # fmt: skip


def _losses() -> list[Case]:
    def with_good_child(name: str, bad: Answer | bytes, code: str, *more: str, **others: object) -> Case:
        """A child that reads well, one that does not, and one after it."""
        documents = {"sitemap.xml": index(ONE, TWO, "{base}/three.xml"), "one.xml": OA, "two.xml": bad,
                     "three.xml": OC}  # fmt: skip
        return tree(name, documents, (A, *more, C), PARTIAL, code, **others)

    def listing(name: str, child: str, code: str, **more: object) -> Case:
        documents = {"sitemap.xml": index(ONE, child, TWO), "one.xml": OA, "two.xml": OB}
        return tree(name, documents, AB, PARTIAL, code, **more)

    return [
        with_good_child("a-child-that-is-missing", whole("no", status=404), "GONE"),
        with_good_child("a-child-that-is-gone", whole("no", status=410), "GONE"),
        with_good_child("a-child-that-fails", whole("no", status=500), "UNREACHABLE"),
        with_good_child("a-child-behind-a-login", whole("no", status=401), "UNREACHABLE"),
        with_good_child("a-child-that-is-a-web-page", whole("<!DOCTYPE html><html></html>", "text/html"), "NOT_A_SITEMAP"),
        with_good_child("a-child-without-a-byte", b"", "NOT_A_SITEMAP"),
        with_good_child("a-child-that-is-cut", urlset(B, B)[:-40], "TRUNCATED", B),
        with_good_child("a-child-that-is-torn-down", resets(OK + b"Content-Length: 4000\r\n\r\n" + OB[:-9]), "TRUNCATED", B),
        tree("a-child-that-stalls", {"sitemap.xml": index(ONE, TWO), "one.xml": OA, "two.xml": stalls(OK)}, (A,),
             PARTIAL, "TIMEOUT", seconds=1.5),
        with_good_child("a-child-that-leads-inside", Answer(status=302, headers={"Location": "{inside}/sitemap.xml"}),
               "URL_NOT_ALLOWED"),
        listing("a-child-on-a-private-address", "{inside}/sitemap.xml", "URL_NOT_ALLOWED"),
        listing("a-child-on-the-metadata-address", "http://169.254.169.254/sitemap.xml", "URL_NOT_ALLOWED"),
        listing("a-child-in-a-file", "file:///etc/passwd", "INVALID_CHILD"),
        listing("a-child-without-an-address", "", "INVALID_CHILD"),
        listing("a-child-with-a-password", "http://a:b@example.com/sitemap.xml", "INVALID_CHILD"),
        tree("more-children-than-are-read", {"sitemap.xml": index(ONE, TWO, "{base}/three.xml"), "one.xml": OA,
            "two.xml": OB, "three.xml": OC}, AB, PARTIAL, "CHILDREN_LIMIT", limits=Limits(children=2), ours=True),
        tree("an-index-that-is-cut", {"sitemap.xml": index(ONE, TWO)[:-40], "one.xml": OA, "two.xml": OB}, (A,),
             PARTIAL, "TRUNCATED"),
        tree("all-children-missing", {"sitemap.xml": index(ONE, TWO)}, (), INVALID, "GONE"),
        tree("more-urls-than-are-read", {"sitemap.xml": index(ONE, TWO), "one.xml": urlset(A, B), "two.xml": OC}, AB,
             PARTIAL, "URLS_LIMIT", limits=Limits(urls=2), ours=True),
        tree("a-document-larger-than-is-read", {"sitemap.xml": index(ONE), "one.xml": urlset(A, B, C) + b" " * 9000},
             ABC, PARTIAL, "DOCUMENT_TOO_LARGE", limits=Limits(document_bytes=5000), ours=True),
    ]  # fmt: skip


CASES = [*_shapes(), *_circles(), *_losses()]
