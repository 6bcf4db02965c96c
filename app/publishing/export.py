"""Posts as files to download: Markdown, HTML, JSON, or all of them with the cover image in an archive."""

import base64
import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import partial
from html import escape
from typing import IO, Any, Final, Literal

from app.content.model import BlogPost, ProjectImage
from app.content.posts.covers import Cover, cover_facts, json_ld_of
from app.content.posts.images import image_bytes, images_in, sent_name
from app.content.rendering.html import render_html
from app.content.rendering.images import ImageAddress, html_pieces, reference_to, with_addresses
from app.infra.clock import rfc3339
from app.language.languages import direction_of
from app.publishing.document import (
    content_sha256,
    dated,
    image_facts,
    members_of,
    picture_name,
    picture_of,
)
from app.publishing.targets.git import front_matter

Format = Literal["markdown", "html", "json", "zip"]
FORMATS: Final[tuple[Format, ...]] = ("markdown", "html", "json", "zip")

Images = Sequence[ProjectImage]

Write = Callable[[IO[bytes]], None]
"""Writes a file. At most one picture is in memory at a time."""

_HEAD: Final = """\
<!doctype html>
<html lang="{language}" dir="{direction}">
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
{picture}"""
_FOOT: Final = """\
</article>
</body>
</html>
"""


@dataclass(frozen=True)
class Export:
    """A file of a post. ``etag`` identifies what ``write`` writes, which raises IMAGE_STORAGE_FAILED."""

    file_name: str
    media_type: str
    etag: str
    write: Write

    @property
    def disposition(self) -> str:
        return f'attachment; filename="{self.file_name}"'


def export_of(post: BlogPost, form: Format) -> Export:
    """Return a post's present text as a file of a format."""
    cover, images = cover_facts(post), images_in(post.project_id, post.content)
    suffix, media_type, write = _WRITERS[form]
    etag = _etag(post, cover, images, form)
    return Export(f"{post.slug}.{suffix}", media_type, etag, partial(write, post, cover, images))


def html_of(post: BlogPost) -> Export:
    """Return the HTML of a post's text alone, which contains its images, as a text."""
    cover, images = cover_facts(post), images_in(post.project_id, post.content)
    etag = _etag(post, cover, images, "text")
    return Export(f"{post.slug}.txt", "text/plain", etag, partial(_write_text, post, images))


def _write_markdown(post: BlogPost, cover: Cover, images: Images, out: IO[bytes]) -> None:
    out.write(_markdown(post, cover, images))


def _write_html(post: BlogPost, cover: Cover, images: Images, out: IO[bytes]) -> None:
    out.write(_head(post, cover).encode())
    _write_text(post, images, out)
    out.write(_FOOT.encode())


def _write_json(post: BlogPost, cover: Cover, images: Images, out: IO[bytes]) -> None:
    out.write(_json(post, cover, images))


def _write_zip(post: BlogPost, cover: Cover, images: Images, out: IO[bytes]) -> None:
    # The same post gives the same bytes, whenever it is downloaded.
    made_at = post.updated_at.timetuple()[:6]
    with zipfile.ZipFile(out, "w") as archive:
        for name, data, method in _files(post, cover, images):
            entry = zipfile.ZipInfo(name, made_at)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, method)


def _files(post: BlogPost, cover: Cover, images: Images) -> Iterator[tuple[str, bytes, int]]:
    """Yield the names, the content and the compression of an archive's files.

    Pictures are compressed already. Loading pictures may end the transaction, so they come last.
    """
    file_name = picture_name(post, cover)
    page = _head(post, cover, file_name) + render_html(post.content, _file_names(images)) + _FOOT
    yield f"{post.slug}.md", _markdown(post, cover, images), zipfile.ZIP_DEFLATED
    yield f"{post.slug}.html", page.encode(), zipfile.ZIP_DEFLATED
    yield f"{post.slug}.json", _json(post, cover, images), zipfile.ZIP_DEFLATED
    yield file_name, picture_of(post, cover).data, zipfile.ZIP_STORED
    for image in images:
        yield sent_name(image), image_bytes(image), zipfile.ZIP_STORED


def _write_text(post: BlogPost, images: Images, out: IO[bytes]) -> None:
    shown = {image.id: image for image in images}
    for piece in html_pieces(render_html(post.content, {each: reference_to(each) for each in shown}.get)):
        out.write(_data_url(shown[piece]) if isinstance(piece, int) else piece.encode())


def _markdown(post: BlogPost, cover: Cover, images: Images) -> bytes:
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


def _head(post: BlogPost, cover: Cover, picture: str | None = None) -> str:
    links = f'<link rel="canonical" href="{escape(post.published_url)}">\n' if post.published_url else ""
    image = f'<p><img src="{escape(picture)}" alt="{escape(cover.alt)}"></p>\n' if picture else ""
    return _HEAD.format(
        language=escape(post.language),
        direction=direction_of(post.language),
        title=escape(post.meta_title or post.title),
        description=escape(post.description),
        links=links,
        json_ld=_in_script(_json_ld(post, cover)),
        heading=escape(post.title),
        picture=image,
    )


def _json(post: BlogPost, cover: Cover, images: Images) -> bytes:
    members = {
        **members_of(post, _json_ld(post, cover), _file_names(images)),
        "published_at": rfc3339(post.published_at),
        "url": post.published_url,
        "cover_image": {**cover.to_dict(), "file_name": picture_name(post, cover)},
        "images": [image_facts(image) for image in images],
    }
    return json.dumps(members, ensure_ascii=False, indent=2).encode() + b"\n"


def _file_names(images: Images) -> ImageAddress:
    return {image.id: sent_name(image) for image in images}.get


def _data_url(image: ProjectImage) -> bytes:
    return f"data:{image.media_type};base64,".encode() + base64.b64encode(image_bytes(image))


def _json_ld(post: BlogPost, cover: Cover) -> list[Any]:
    return dated(json_ld_of(post, cover), post.published_at, post.published_url)


def _in_script(data: list[Any]) -> str:
    """Return JSON that cannot end the script element around it."""
    text = json.dumps(data, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _etag(post: BlogPost, cover: Cover, images: Images, form: str) -> str:
    names = [sent_name(image) for image in images]
    parts = (form, post.version, content_sha256(post), cover.etag, cover.alt, post.published_url, names)
    return hashlib.sha256(
        repr((*parts, rfc3339(post.published_at), rfc3339(post.updated_at))).encode()
    ).hexdigest()


_WRITERS: Final[Mapping[Format, tuple[str, str, Callable[[BlogPost, Cover, Images, IO[bytes]], None]]]] = {
    "markdown": ("md", "text/markdown", _write_markdown),
    "html": ("html", "text/html", _write_html),
    "json": ("json", "application/json", _write_json),
    "zip": ("zip", "application/zip", _write_zip),
}
