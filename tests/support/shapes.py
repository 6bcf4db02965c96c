"""Sites as well-known programs lay them out: their sitemaps to the letter, with small pages behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.support.reading import HTML
from tests.support.servers import SiteServer
from tests.support.sites import html

XML: Final = {"Content-Type": "application/xml; charset=UTF-8"}
SITEMAP: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"


@dataclass(frozen=True)
class Shape:
    """A program's site: documents by path, with the site's address as ``{site}``, and the pages they list.

    ``finds`` is the sitemap that a project finds there by itself.
    """

    documents: dict[str, str]
    pages: tuple[str, ...]
    children: int
    finds: str = "/sitemap.xml"

    def set_up(self, site: SiteServer) -> None:
        """Serve the documents and the pages."""
        for path, document in self.documents.items():
            kind = {"Content-Type": "text/plain"} if path == "/robots.txt" else XML
            site.serve(path, document.replace("{site}", site.url), headers=kind)
        for path in self.pages:
            site.serve(path, html(f"Page {path}", f"What {path} says."), headers=HTML)


def _entry(path: str, inside: str = "") -> str:
    return f"<url><loc>{{site}}{path}</loc>{inside}</url>"


def _child(path: str, lastmod: str = "") -> str:
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return f"<sitemap><loc>{{site}}{path}</loc>{date}</sitemap>"


def _wordpress_index(*children: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<?xml-stylesheet type="text/xsl" href="{site}/wp-sitemap-index.xsl" ?>\n'
        f'<sitemapindex xmlns="{SITEMAP}">{"".join(map(_child, children))}</sitemapindex>\n'
    )


def _wordpress_urls(*entries: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<?xml-stylesheet type="text/xsl" href="{site}/wp-sitemap.xsl" ?>\n'
        f'<urlset xmlns="{SITEMAP}">{"".join(entries)}</urlset>\n'
    )


WORDPRESS: Final = Shape(
    documents={
        "/robots.txt": (
            "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n\n"
            "Sitemap: {site}/wp-sitemap.xml\n"
        ),
        "/wp-sitemap.xml": _wordpress_index(
            "/wp-sitemap-posts-post-1.xml", "/wp-sitemap-posts-page-1.xml",
            "/wp-sitemap-taxonomies-category-1.xml", "/wp-sitemap-users-1.xml",
        ),
        "/wp-sitemap-posts-post-1.xml": _wordpress_urls(
            _entry("/hello-world/", "<lastmod>2026-03-01T09:30:00+00:00</lastmod>"),
            _entry("/caf%c3%a9-am-see/", "<lastmod>2026-03-02T09:30:00+00:00</lastmod>"),
        ),
        "/wp-sitemap-posts-page-1.xml": _wordpress_urls(
            _entry("/", "<lastmod>2026-03-02T09:30:00+00:00</lastmod>"), _entry("/sample-page/")
        ),
        "/wp-sitemap-taxonomies-category-1.xml": _wordpress_urls(_entry("/category/uncategorized/")),
        "/wp-sitemap-users-1.xml": _wordpress_urls(_entry("/author/admin/")),
    },
    pages=("/", "/author/admin/", "/caf%C3%A9-am-see/",
    "/category/uncategorized/", "/hello-world/", "/sample-page/"),
    children=4,
    finds="/wp-sitemap.xml",
)  # fmt: skip


def _ghost_urls(*entries: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<?xml-stylesheet type="text/xsl" href="//127.0.0.1/sitemap.xsl"?>'
        f'<urlset xmlns="{SITEMAP}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
        f"{''.join(entries)}</urlset>"
    )


def _ghost_entry(path: str) -> str:
    image = (
        "<image:image><image:loc>{site}/content/images/2026/03/cover.jpg</image:loc>"
        "<image:caption>cover.jpg</image:caption></image:image>"
    )
    return _entry(path, f"<lastmod>2026-03-01T09:30:00.000Z</lastmod>{image}")


_GHOST_KINDS: Final = ("pages", "posts", "authors", "tags")

GHOST: Final = Shape(
    documents={
        "/robots.txt": (
            "User-agent: *\nSitemap: {site}/sitemap.xml\nDisallow: /ghost/\nDisallow: /email/\n"
            "Disallow: /members/api/comments/counts/\nDisallow: /r/\n"
        ),
        "/sitemap.xml": (
            '<?xml version="1.0" encoding="UTF-8"?>'
            '<?xml-stylesheet type="text/xsl" href="//127.0.0.1/sitemap.xsl"?>'
            f'<sitemapindex xmlns="{SITEMAP}">'
            + "".join(_child(f"/sitemap-{kind}.xml", "2026-03-01T09:30:00.000Z") for kind in _GHOST_KINDS)
            + "</sitemapindex>"
        ),
        "/sitemap-pages.xml": _ghost_urls(_ghost_entry("/"), _ghost_entry("/about/")),
        "/sitemap-posts.xml": _ghost_urls(_ghost_entry("/coming-soon/")),
        "/sitemap-authors.xml": _ghost_urls(_ghost_entry("/author/alice/")),
        "/sitemap-tags.xml": _ghost_urls(_ghost_entry("/tag/news/")),
    },
    pages=("/", "/about/", "/author/alice/", "/coming-soon/", "/tag/news/"),
    children=4,
)  # fmt: skip


def _alternates(*paths: str) -> str:
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{path.split("/")[1]}" href="{{site}}{path}" />'
        for path in paths
    )


_SPHINX_PAGES: Final = ("index.html", "installation.html", "usage/quickstart.html", "genindex.html")

SPHINX: Final = Shape(
    documents={
        "/sitemap.xml": (
            "<?xml version='1.0' encoding='utf-8'?>\n"
            f'<urlset xmlns="{SITEMAP}" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
            + "".join(
                _entry(f"/en/latest/{name}", _alternates(f"/de/latest/{name}", f"/en/latest/{name}"))
                for name in _SPHINX_PAGES
            )
            + "</urlset>"
        ),
    },
    pages=tuple(sorted(f"/en/latest/{name}" for name in _SPHINX_PAGES)),
    children=0,
)


def _hugo(language: str, other: str) -> str:
    entries = (
        f"\n  <url>\n    <loc>{{site}}/{language}{path}</loc>\n"
        "    <lastmod>2026-03-01T10:30:00+01:00</lastmod>\n"
        "    <changefreq>weekly</changefreq>\n    <priority>0.5</priority>\n"
        f"    {_alternates(f'/{other}{path}', f'/{language}{path}')}\n  </url>"
        for path in ("/", "/posts/a/")
    )
    return (
        '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n'
        f'<urlset xmlns="{SITEMAP}"\n  xmlns:xhtml="http://www.w3.org/1999/xhtml">{"".join(entries)}\n</urlset>\n'
    )


HUGO: Final = Shape(
    documents={
        "/robots.txt": "User-agent: *",
        "/sitemap.xml": (
            '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n'
            f'<sitemapindex xmlns="{SITEMAP}">\n'
            + _child("/en/sitemap.xml", "2026-03-01T10:30:00+01:00")
            + _child("/de/sitemap.xml", "2026-03-01T10:30:00+01:00")
            + "\n</sitemapindex>\n"
        ),
        "/en/sitemap.xml": _hugo("en", "de"),
        "/de/sitemap.xml": _hugo("de", "en"),
    },
    pages=("/de/", "/de/posts/a/", "/en/", "/en/posts/a/"),
    children=2,
)

SHAPES: Final = {"WordPress": WORDPRESS, "Ghost": GHOST, "Sphinx": SPHINX, "Hugo": HUGO}
