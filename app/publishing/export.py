"""Posts as files to download: Markdown, HTML, JSON, or all of them with the cover image in an archive."""

from __future__ import annotations

import base64
import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from html import escape
from io import BytesIO
from typing import Any, Final, Literal

from app.content.model import BlogPost, ProjectImage
from app.content.posts.covers import Cover, cover_facts, json_ld_of
from app.content.posts.images import image_bytes, images_in, sent_name
from app.content.rendering.html import render_html
from app.content.rendering.images import ImageAddress, with_addresses
from app.infra.clock import rfc3339
from app.publishing.document import (
    content_sha256,
    dated,
    image_facts,
    members_of,
    picture_name,
    picture_of,
    pictures_of,
)
from app.publishing.targets.git import front_matter

Format = Literal["markdown", "html", "json", "zip"]
FORMATS: Final[tuple[Format, ...]] = ("markdown", "html", "json", "zip")

Images = Sequence[ProjectImage]
"""The images that a post's text shows."""

_DOCUMENT: Final = """\
<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<meta name="description" content="{description}">
{links}<script type="application/ld+json">{json_ld}</script>
</head>
<body>
<article>
<h1>{heading}</h1>
{picture}{content}</article>
</body>
</html>
"""


@dataclass(frozen=True)
class Export:
    """A file of a post. ``etag`` identifies its content, which ``make`` returns."""

    file_name: str
    media_type: str
    etag: str
    make: Callable[[], bytes]

    @property
    def disposition(self) -> str:
        """The Content-Disposition by which a browser saves the file."""
        return f'attachment; filename="{self.file_name}"'


def export_of(post: BlogPost, form: Format) -> Export:
    """Return a post's present text as a file of a format."""
    cover, images = cover_facts(post), images_in(post.project_id, post.content)
    suffix, media_type, write = _WRITERS[form]
    etag = _etag(post, cover, images, form)
    return Export(f"{post.slug}.{suffix}", media_type, etag, lambda: write(post, cover, images))


def html_of(post: BlogPost) -> str:
    """Return the HTML of a post's text alone, which contains its images."""
    return render_html(post.content, _embedded(images_in(post.project_id, post.content)))


def _markdown(post: BlogPost, cover: Cover, images: Images) -> bytes:
    """Return the text with front matter, which most static site generators and many CMS read."""
    members: dict[str, Any] = {
        "title": post.title,
        "description": post.description,
        "slug": post.slug,
        "tags": list(post.tags),
        "language": post.language,
        "image": picture_name(post, cover),
        "image_alt": cover.alt,
    }
    if post.published_at is not None:
        members["date"] = post.published_at.astimezone(UTC)
    return front_matter.write(members, with_addresses(post.content, _file_names(images)))


def _html(post: BlogPost, cover: Cover, images: Images) -> bytes:
    """Return a complete document that contains the images of its text."""
    return _page(post, cover, _embedded(images))


def _page(post: BlogPost, cover: Cover, image_address: ImageAddress, picture: str | None = None) -> bytes:
    """Return a complete document; ``picture`` is the file name of the cover if it is beside the document."""
    links = f'<link rel="canonical" href="{escape(post.published_url)}">\n' if post.published_url else ""
    image = f'<p><img src="{escape(picture)}" alt="{escape(cover.alt)}"></p>\n' if picture else ""
    page = _DOCUMENT.format(
        language=escape(post.language),
        title=escape(post.meta_title or post.title),
        description=escape(post.description),
        links=links,
        json_ld=_in_script(_json_ld(post, cover)),
        heading=escape(post.title),
        picture=image,
        content=render_html(post.content, image_address),
    )
    return page.encode()


def _json(post: BlogPost, cover: Cover, images: Images) -> bytes:
    """Return the members of a post as publish targets get them, with the file names of its images."""
    members = {
        **members_of(post, _json_ld(post, cover), _file_names(images)),
        "published_at": rfc3339(post.published_at),
        "url": post.published_url,
        "cover_image": {**cover.to_dict(), "file_name": picture_name(post, cover)},
        "images": [image_facts(image) for image in images],
    }
    return json.dumps(members, ensure_ascii=False, indent=2).encode() + b"\n"


def _zip(post: BlogPost, cover: Cover, images: Images) -> bytes:
    picture = picture_of(post, cover)
    files = {
        f"{post.slug}.md": _markdown(post, cover, images),
        f"{post.slug}.html": _page(post, cover, _file_names(images), picture.file_name),
        f"{post.slug}.json": _json(post, cover, images),
        picture.file_name: picture.data,
        **{each.file_name: each.data for each in pictures_of(images).values()},
    }
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            # The same post gives the same bytes, whenever it is downloaded.
            entry = zipfile.ZipInfo(name, post.updated_at.timetuple()[:6])
            entry.external_attr = 0o644 << 16
            made.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def _file_names(images: Images) -> ImageAddress:
    """Return the names of the files of a text's images, which the archive has."""
    return {image.id: sent_name(image) for image in images}.get


def _embedded(images: Images) -> ImageAddress:
    return {image.id: _data_url(image) for image in images}.get


def _data_url(image: ProjectImage) -> str:
    return f"data:{image.media_type};base64,{base64.b64encode(image_bytes(image)).decode('ascii')}"


def _json_ld(post: BlogPost, cover: Cover) -> list[Any]:
    return dated(json_ld_of(post, cover), post.published_at, post.published_url)


def _in_script(data: list[Any]) -> str:
    """Return JSON that cannot end the script element around it."""
    text = json.dumps(data, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _etag(post: BlogPost, cover: Cover, images: Images, form: Format) -> str:
    names = [sent_name(image) for image in images]
    parts = (form, post.version, content_sha256(post), cover.etag, cover.alt, post.published_url, names)
    return hashlib.sha256(
        repr((*parts, rfc3339(post.published_at), rfc3339(post.updated_at))).encode()
    ).hexdigest()


_WRITERS: Final[Mapping[Format, tuple[str, str, Callable[[BlogPost, Cover, Images], bytes]]]] = {
    "markdown": ("md", "text/markdown", _markdown),
    "html": ("html", "text/html", _html),
    "json": ("json", "application/json", _json),
    "zip": ("zip", "application/zip", _zip),
}
