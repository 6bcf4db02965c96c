"""Sloppy entries of sitemaps of https://example.com, as people and programs write them."""

from __future__ import annotations

from typing import Final

HOST: Final = "https://example.com"
RECOVERED: Final = [
    *[(f"{HOST}/o{gap}ne", f"{HOST}/one") for gap in ("\n", "\t", "\r\n", "\n\t\t", "\n\n")],
    *[(f"https://exa{gap}mple.com/one", f"{HOST}/one") for gap in ("\n", "\t")],
    *[
        (f"{scheme}example.com/p", f"{HOST}/p")
        for scheme in ("https:\\\\", "https:/", "https:///", "https:\\/\\/")
    ],
    *[(f"{scheme}example.com/p", f"{HOST}/p") for scheme in ("HTTPS://", "HTTPS:\\\\", "https:/\\", "//")],
    ("http:\\\\example.com\\p", "http://example.com/p"),
    ("https:\\\\example.com\\a\\b", f"{HOST}/a/b"),
    (f"{HOST}\\p", f"{HOST}/p"),
    (f"{HOST}/a\\b", f"{HOST}/a/b"),
    ("https:\\/\\/example.com\\/a\\/b", f"{HOST}/a/b"),
    ("/a\\b", f"{HOST}/a/b"),
    ("\\a", f"{HOST}/a"),
    ("\\\\example.com\\p", f"{HOST}/p"),
    (f"{HOST}/p&nbsp;", f"{HOST}/p"),
    (f"&nbsp;{HOST}/p", f"{HOST}/p"),
    (f"&zwnj;{HOST}/p&zwj;", f"{HOST}/p"),
    (f"{HOST}/caf&eacute;", f"{HOST}/caf%C3%A9"),
    (f"{HOST}/gr&uuml;&szlig;e", f"{HOST}/gr%C3%BC%C3%9Fe"),
    (f"{HOST}/a&ndash;b", f"{HOST}/a%E2%80%93b"),
    (f"{HOST}/?q=&ntilde;", f"{HOST}/?q=%C3%B1"),
    (f"\ufeff{HOST}/p", f"{HOST}/p"),
    (f"\u200b{HOST}/p\u200b", f"{HOST}/p"),
    (f"\n\t{HOST}/p\n\t", f"{HOST}/p"),
    (f"{HOST}/a b", f"{HOST}/a%20b"),
    (f"{HOST}/a,b;c", f"{HOST}/a,b;c"),
    (f"{HOST}/?a=1&amp;copy=2", f"{HOST}/?a=1&copy=2"),
]
"""Each entry, and the address that it certainly means."""

LOST: Final = [
    *[
        f"{scheme}example.com/p"
        for scheme in ("htp://", "htps://", "ttps://", "hhttps://", "httpss://", "hxxps://")
    ],
    *[
        f"{scheme}example.com/p"
        for scheme in ("http;//", "https;//", "https.//", "https ://", "https: //", "https//")
    ],
    *[
        f"{scheme}blog.example.com/p"
        for scheme in (
            "htp://",
            "htps://",
            "ttps://",
            "htttp://",
            "httsp://",
            "httos://",
            "http;//",
            "https//",
        )
    ],
    *[f"{scheme}www.example.com/p" for scheme in ("htp://", "http;//", "https//", "")],
    *[
        f"{scheme}example.com/p"
        for scheme in ("https://https://", "http://https://", "https://http//", "xhttps://")
    ],
    *[f"{HOST}/one{gap}two" for gap in ("\n  ", "  \n", " \t")],
    *[f"{HOST}/p{gap}{HOST}/q" for gap in (",", ";", "|", " ", "\n", ", ")],
    *[f"{before}{HOST}/p" for before in ("(", "'", "\u201c", "URL: ", "[", "&lt;a href=&quot;")],
    "https://exa mple.com/p",
    "https://example .com/p",
    "https://example.com /p",
    "https://example,com/p",
    "https%3A%2F%2Fexample.com%2Fp",
    f"{HOST}/\ufffd",
    "",
]
"""Entries that may be damaged addresses, of which page is not certain."""
