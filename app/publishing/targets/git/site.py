"""The site that posts are committed to, as its owner set it: generator, folder and addresses."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from app.failures import invalid_field
from app.infra.checks import display_url
from app.publishing.targets.base import Setting, default_status
from app.publishing.targets.git.flavours import FLAVOURS, Flavour

_MOST_PATH: Final = 90
"""The path of a post is stored in 200 characters, with a slug of up to 80 and a date."""
_PART: Final = re.compile(r"[^\s/\\:*?\"<>|\x00-\x1f\x7f][^/\\:*?\"<>|\x00-\x1f\x7f]*")
_AUTHOR: Final = "SEO content"
_ADDRESS: Final = "noreply@example.com"
_FIELDS: Final = ("slug", "year", "month", "day")
_PERSON: Final = re.compile(r"[^<>\x00-\x1f\x7f]{1,100}")
_EMAIL: Final = re.compile(r"[^<>@\s\x00-\x1f\x7f]{1,64}@[^<>@\s\x00-\x1f\x7f]{1,190}")


@dataclass(frozen=True)
class Site:
    """A static site: ``address`` is the pattern of its posts' addresses."""

    flavour_name: str
    folder: str
    address: str

    @property
    def flavour(self) -> Flavour:
        return FLAVOURS[self.flavour_name]

    def url(self, slug: str, date: datetime) -> str:
        parts = {"slug": slug, "year": f"{date:%Y}", "month": f"{date:%m}", "day": f"{date:%d}"}
        return re.sub(r"\{(\w+)\}", lambda field: parts[field[1]], self.address)


def site_of(settings: Mapping[str, Any]) -> Site:
    flavour = settings["flavour"]
    return Site(flavour, settings["folder"] or FLAVOURS[flavour].folder, settings["site_url"])


def author_of(settings: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the name and e-mail address of the author of commits, None if the settings have neither."""
    name, address = settings["author_name"], settings["author_email"]
    return {"name": name or _AUTHOR, "email": address or _ADDRESS} if name or address else None


def signature_of(settings: Mapping[str, Any]) -> bytes:
    """Return the author of commits as Git writes it, by default this service."""
    author = author_of(settings) or {"name": _AUTHOR, "email": _ADDRESS}
    return f"{author['name']} <{author['email']}>".encode()


def path_below(text: str, field: str) -> str:
    """Return a path with slashes that cannot leave its folder. Raises INVALID_REQUEST."""
    parts = text.strip().strip("/").split("/") if not text.startswith("/") else [""]
    for part in parts:
        if not _PART.fullmatch(part) or part.startswith(".") or part != part.strip():
            message = "Give a path without a leading slash, made of names without a leading dot."
            raise invalid_field(field, message)
    path = "/".join(parts)
    if len(path) > _MOST_PATH:
        raise invalid_field(field, f"Use at most {_MOST_PATH} characters.")
    return path


def post_address(text: str, field: str) -> str:
    """Return the pattern of the posts' addresses; ``{slug}`` is added if it is missing.

    Raises INVALID_REQUEST for another field in braces, URL_NOT_ALLOWED for what is no URL.
    """
    pattern = text.strip()
    unknown = sorted(set(re.findall(r"\{([^{}]*)\}", pattern)) - set(_FIELDS))
    if unknown:
        raise invalid_field(field, "In braces, only {slug}, {year}, {month} and {day} are filled in.")
    if "{slug}" not in pattern:
        pattern = f"{pattern.rstrip('/')}/{{slug}}/"
    display_url(re.sub(r"\{\w+\}", "1", pattern), field)
    return pattern


def person(text: str, field: str) -> str:
    """Return the name of a commit's author. Raises INVALID_REQUEST."""
    if not _PERSON.fullmatch(text):
        raise invalid_field(field, "Use at most 100 characters, without < and >.")
    return text


def email(text: str, field: str) -> str:
    """Return the e-mail address of a commit's author. Raises INVALID_REQUEST."""
    if not _EMAIL.fullmatch(text):
        raise invalid_field(field, "Give an e-mail address.")
    return text


SITE_SETTINGS: Final = (
    Setting(
        "flavour",
        label="Static site generator",
        hint="Decides where posts and images are put, and what their front matter looks like.",
        choices=tuple((name, flavour.title) for name, flavour in FLAVOURS.items()),
    ),
    Setting(
        "folder",
        label="Folder of the posts",
        hint="Left empty: "
        + ", ".join(f"{flavour.folder} for {flavour.title}" for flavour in FLAVOURS.values())
        + ".",
        check=path_below,
        placeholder="content/posts",
        required=False,
    ),
    Setting(
        "site_url",
        label="Address of a post on your site",
        hint="{slug} is filled in, and so are {year}, {month} and {day}.",
        check=post_address,
        placeholder="https://example.com/blog/{slug}/",
        is_address=True,
    ),
    default_status(
        "Live at once",
        "Drafts in the repository",
        "A draft is in the repository, but the generator does not show it.",
    ),
    Setting(
        "author_name",
        label="Author of the commits",
        hint="Left empty: SEO content, or at a forge the owner of the token.",
        check=person,
        required=False,
    ),
    Setting(
        "author_email",
        label="E-mail address of the author",
        hint="Shown in the history of the repository.",
        check=email,
        required=False,
    ),
)
