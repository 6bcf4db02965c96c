"""What each static site generator expects: where posts and images are, and which members mean what. Pure."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Final

Members = dict[str, Any]

_DATED: Final = re.compile(r"\d{4}-\d\d-\d\d-")
_TEXT_SUFFIXES: Final = frozenset({".md", ".markdown", ".mdx", ".html", ".njk", ".liquid"})
_HIDDEN_SUFFIX: Final = ".draft"


@dataclass(frozen=True)
class Flavour:
    """One generator. ``folder`` is where its posts usually are.

    ``post`` is the pattern of a post's path below the repository, ``image`` that of its image, and
    ``image_address`` how the front matter names the image. ``picture`` and ``state`` return the members of
    the front matter that describe the image, and whether the post is hidden; ``own_members`` those that
    only this generator knows. With ``hides_by_name`` the generator does not take the name of a hidden post.
    """

    title: str
    folder: str
    post: str
    image: str
    image_address: str
    picture: Callable[[str, str], Members]
    picture_member: Callable[[Mapping[str, Any]], Any]
    state: Callable[[bool], Members]
    hidden_if: Callable[[Mapping[str, Any]], bool]
    own_members: Callable[[datetime], Members] = lambda _date: {}
    hides_by_name: bool = False

    def post_path(self, folder: str, slug: str, date: datetime, *, is_hidden: bool) -> str:
        path = self.post.format(folder=folder, slug=slug, date=date)
        return self.hidden_path(path) if is_hidden else path

    def hidden_path(self, path: str) -> str:
        is_named_so = path.endswith(_HIDDEN_SUFFIX)
        return path + _HIDDEN_SUFFIX if self.hides_by_name and not is_named_so else path

    def image_path(self, folder: str, slug: str, file_name: str) -> str:
        # GitHub Pages builds a Jekyll site from the repository or from its folder ``docs``.
        site = "docs" if folder.split("/")[0] == "docs" else ""
        return self.image.format(folder=folder, slug=slug, file=file_name, site=site).lstrip("/")

    def is_hidden(self, path: str, members: Mapping[str, Any]) -> bool:
        """Return whether the generator shows nothing of the post in this file."""
        return path.endswith(_HIDDEN_SUFFIX) or self.hidden_if(members)

    def picture_address(self, members: Mapping[str, Any]) -> str | None:
        """Return how a post's front matter names its image, None if it has none."""
        try:
            address = self.picture_member(members)
        except (KeyError, IndexError, TypeError):
            return None
        return address if isinstance(address, str) else None


def is_text(path: str) -> bool:
    """Return whether a file may be a post, also one that is hidden by its name."""
    return PurePosixPath(path.removesuffix(_HIDDEN_SUFFIX)).suffix in _TEXT_SUFFIXES


def slug_of(path: str) -> str:
    """Return the slug that a generator derives from the path of a post's file."""
    file = PurePosixPath(path.removesuffix(_HIDDEN_SUFFIX))
    stem = file.parent.name if file.stem in ("index", "_index") else file.stem
    return _DATED.sub("", stem, count=1) if _DATED.match(stem) else stem


HUGO: Final = Flavour(
    title="Hugo",
    folder="content/posts",
    post="{folder}/{slug}/index.md",
    image="{folder}/{slug}/{file}",
    image_address="{file}",
    picture=lambda address, alt: {
        "images": [address],
        "cover": {"image": address, "alt": alt, "relative": True},
    },
    picture_member=lambda members: members["images"][0],
    state=lambda is_hidden: {"draft": is_hidden},
    hidden_if=lambda members: members.get("draft") is True,
)

ASTRO: Final = Flavour(
    title="Astro",
    folder="src/content/blog",
    post="{folder}/{slug}.md",
    image="{folder}/{file}",
    image_address="./{file}",
    picture=lambda address, alt: {"heroImage": address, "heroImageAlt": alt},
    picture_member=lambda members: members["heroImage"],
    state=lambda is_hidden: {"draft": is_hidden},
    # Astro builds a file whatever its draft member says, unless the site's own code looks at it.
    hidden_if=lambda _members: False,
    own_members=lambda date: {"pubDate": date},
    hides_by_name=True,
)

JEKYLL: Final = Flavour(
    title="Jekyll",
    folder="_posts",
    post="{folder}/{date:%Y-%m-%d}-{slug}.md",
    image="{site}/assets/images/{file}",
    image_address="/assets/images/{file}",
    picture=lambda address, alt: {"image": {"path": address, "alt": alt}},
    picture_member=lambda members: members["image"]["path"],
    state=lambda is_hidden: {"published": not is_hidden},
    hidden_if=lambda members: members.get("published") is False,
    own_members=lambda _date: {"layout": "post"},
)

ELEVENTY: Final = Flavour(
    title="Eleventy",
    folder="content/blog",
    post="{folder}/{slug}/index.md",
    image="{folder}/{slug}/{file}",
    image_address="./{file}",
    picture=lambda address, alt: {"image": {"src": address, "alt": alt}},
    picture_member=lambda members: members["image"]["src"],
    state=lambda is_hidden: (
        {"draft": True, "permalink": False, "eleventyExcludeFromCollections": True}
        if is_hidden
        else {"draft": False}
    ),
    hidden_if=lambda members: members.get("permalink") is False,
    # Without it Eleventy would run what looks like a template in the text.
    own_members=lambda _date: {"templateEngineOverride": "md"},
)

FLAVOURS: Final[Mapping[str, Flavour]] = {
    "hugo": HUGO,
    "astro": ASTRO,
    "jekyll": JEKYLL,
    "eleventy": ELEVENTY,
}
