"""The files of a post: its Markdown with front matter, its cover and the images of its text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, Final

from app.content.rendering.images import image_addresses, with_addresses
from app.infra.clock import utc_now
from app.publishing.targets.base import Document
from app.publishing.targets.git import front_matter
from app.publishing.targets.git.branch import blob_id
from app.publishing.targets.git.flavours import slug_of
from app.publishing.targets.git.front_matter import MarkdownFile
from app.publishing.targets.git.markdown import markdown_for
from app.publishing.targets.git.site import Site

_SUBJECT: Final = 72
_NAME_OF_OURS: Final = r"{slug}-[0-9a-z-]*[0-9a-f]{{8}}\.(?:png|jpg|webp)"
"""A file of an image of the text: the slug, what the image is called, and the beginning of its hash."""
_STATE_MEMBERS: Final = ("draft", "published", "permalink", "eleventyExcludeFromCollections")
_STATE_LINES: Final = re.compile(rf"^(?:{'|'.join(_STATE_MEMBERS)}):.*\n".encode(), re.MULTILINE)


@dataclass(frozen=True)
class StoredPost:
    """A post's file as it is in the branch; ``file`` has no members if its front matter cannot be read."""

    path: str
    data: bytes
    file: MarkdownFile

    @property
    def fingerprint(self) -> str:
        """What changes when somebody edits the file, but not when the post is only hidden or shown."""
        head, mark, text = self.data.partition(b"\n---")
        return blob_id(_STATE_LINES.sub(b"", head + b"\n") + mark + text)

    @property
    def slug(self) -> str:
        """The slug under which the generator shows the post."""
        slug = self.file.members.get("slug")
        return slug if isinstance(slug, str) and slug else slug_of(self.path)

    @property
    def date(self) -> datetime:
        """The post's date; now if somebody wrote something else there."""
        date = self.file.members.get("date")
        if not isinstance(date, datetime):
            return utc_now().replace(microsecond=0)
        return date if date.tzinfo else date.replace(tzinfo=UTC)


@dataclass(frozen=True)
class PostFiles:
    """What is written for a post: its own file, and its images by their paths."""

    path: str
    data: bytes
    images: Mapping[str, bytes]


def files_of(site: Site, document: Document, date: datetime) -> PostFiles:
    """Return the files of a document, for a post of this date."""
    post, flavour, slug = document.post, site.flavour, document.post["slug"]
    is_hidden = document.visibility == "draft"
    members: dict[str, Any] = {
        **flavour.own_members(date),
        "title": post["title"],
        "description": post["description"],
        "slug": slug,
        "date": date,
        **flavour.state(is_hidden),
        "tags": list(post["tags"]),
        "language": post["language"],
    }
    # The slug in its name says whose image it is.
    names = {image_id: f"{slug}-{image.file_name}" for image_id, image in document.images.items()}
    addresses = {image_id: flavour.image_address.format(file=name) for image_id, name in names.items()}
    images = {
        flavour.image_path(site.folder, slug, name): document.images[image_id].data
        for image_id, name in names.items()
    }
    if (picture := document.picture) is not None:
        images[flavour.image_path(site.folder, slug, picture.file_name)] = picture.data
        members |= flavour.picture(flavour.image_address.format(file=picture.file_name), picture.alt)
    members |= {"publication_id": document.publication_id, "content_sha256": document.digest}
    text = markdown_for(site.flavour_name, with_addresses(post["content"], addresses.get))
    path = flavour.post_path(site.folder, slug, date, is_hidden=is_hidden)
    return PostFiles(path, front_matter.write(members, text), images)


def hidden_file(site: Site, stored: StoredPost) -> tuple[str, bytes]:
    """Return the path and the content of a stored post that readers are not to see any more."""
    state = site.flavour.state(True)
    stale = set(_STATE_MEMBERS) - set(state)
    members = {name: value for name, value in stored.file.members.items() if name not in stale}
    data = front_matter.write({**members, **state}, stored.file.text)
    return site.flavour.hidden_path(stored.path), data


def image_paths_of(site: Site, stored: StoredPost) -> list[str]:
    """Return the paths of a stored post's images whose names are of the form that this service gives."""
    flavour, slug = site.flavour, slug_of(stored.path)
    cover = PurePosixPath(flavour.picture_address(stored.file.members) or "").name
    names = [cover] if re.fullmatch(rf"{re.escape(slug)}[0-9a-z.-]*", cover) else []
    for address in image_addresses(stored.file.text):
        name = PurePosixPath(address).name
        is_ours = re.fullmatch(_NAME_OF_OURS.format(slug=re.escape(slug)), name)
        if is_ours and address == flavour.image_address.format(file=name):
            names.append(name)
    return [flavour.image_path(site.folder, slug, name) for name in dict.fromkeys(names)]


def date_of(document: Document) -> datetime:
    """Return the date of a document's posting, to the second; now if it has none."""
    for entry in document.post["json_ld"]:
        try:
            return datetime.fromisoformat(entry["datePublished"]).astimezone(UTC).replace(microsecond=0)
        except (KeyError, TypeError, ValueError):
            continue
    return utc_now().replace(microsecond=0)


def message_of(verb: str, title: object, publication_id: object, url: str) -> str:
    """Return a commit's message: what was done to which post, where it is read, and its publication id."""
    line = " ".join(f"{verb} “{title}”".split())
    subject = line if len(line) <= _SUBJECT else line[: _SUBJECT - 2].rstrip() + "…”"
    return f"{subject}\n\n{url}\n\nPublication-Id: {publication_id}\n"
