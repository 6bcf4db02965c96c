"""Images in the texts of posts: a project stores each once, and any of its posts may show it."""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePath
from typing import Final, NamedTuple

from sqlalchemy import delete, func, select

from app.content.assembly.pictures import Picture, picture_of
from app.content.model import BlogPost, PostRemoval, ProjectImage, RemovedPost
from app.content.posts import picture_store
from app.content.posts.picture_store import Place
from app.content.rendering.images import image_ids, times_shown
from app.failures import ServiceFailure, invalid_field
from app.infra.checks import clean_line
from app.infra.clock import utc_now
from app.infra.db import db, insert_new, page_of
from app.projects.model import Project

MOST_ALT: Final = 300
MOST_FILE_NAME: Final = 200
MOST_IMAGES: Final = 500
MOST_TOTAL_BYTES: Final = 100_000_000
"""What the images of one project may take together. One may have what ``picture_of`` takes."""

MOST_SHOWN: Final = 50
"""How often one text may show images, the same one again included: downloads have each of them."""

_MOST_NAMED: Final = 10
_MOST_STEM: Final = 40


class ShowingPost(NamedTuple):
    """A post whose text shows an image; a removed one can still be brought back."""

    id: int
    title: str
    is_removed: bool


def list_images(project: Project, page: int, page_size: int) -> tuple[Sequence[ProjectImage], int]:
    """Return one page of a project's images, newest first, and how many there are in all."""
    statement = select(ProjectImage).where(ProjectImage.project_id == project.id)
    return page_of(statement.order_by(ProjectImage.id.desc()), page, page_size)


def get_image(project: Project, image_id: int) -> ProjectImage:
    """Return an image of the project. Raises IMAGE_NOT_FOUND."""
    image = db.session.get(ProjectImage, image_id)
    if image is None or image.project_id != project.id:
        raise ServiceFailure("IMAGE_NOT_FOUND")
    return image


def images_in(project_id: int, markdown: str) -> list[ProjectImage]:
    """Return the images of a project that a text shows, in its order."""
    ids = image_ids(markdown)
    if not ids:
        return []
    where = (ProjectImage.project_id == project_id, ProjectImage.id.in_(ids))
    found = {image.id: image for image in db.session.scalars(select(ProjectImage).where(*where))}
    return [found[image_id] for image_id in ids if image_id in found]


def refuse_many_shown(markdown: str) -> None:
    """Raise INVALID_REQUEST for ``/content`` if a text shows more images than MOST_SHOWN."""
    shown = times_shown(markdown)
    if shown > MOST_SHOWN:
        message = f"The text shows {shown} pictures; a post has at most {MOST_SHOWN}. Take some out."
        raise invalid_field("/content", message)


def image_bytes(image: ProjectImage) -> bytes:
    """Return the picture of an image. Raises IMAGE_NOT_FOUND if it is gone, and IMAGE_STORAGE_FAILED."""
    picture = picture_store.load(ProjectImage, image.id)
    if picture is None:
        raise ServiceFailure("IMAGE_NOT_FOUND")
    return picture


def add_image(
    project: Project, data: bytes, media_type: str, *, alt: str | None, file_name: str | None, by: str = ""
) -> tuple[ProjectImage, bool]:
    """Add a picture to a project's images; return the image, and whether it is new.

    One that the project has already is returned unchanged. Raises what ``picture_of`` does for the picture,
    INVALID_REQUEST naming ``/alt`` or ``/file_name``, LIMIT_REACHED, and IMAGE_STORAGE_FAILED.
    """
    text, name = _clean_alt(alt), _clean_name(file_name)
    picture, project_id = picture_of(data, media_type), project.id
    present = _with_hash(project_id, picture.content_hash)
    if present is not None:
        return present, False
    _refuse_too_many(project_id, picture)
    place = picture_store.put(picture)
    # One at a time in each project, so that two cannot pass the check of the limits together.
    db.session.execute(select(Project.id).where(Project.id == project_id).with_for_update(key_share=True))
    present = _with_hash(project_id, picture.content_hash)
    if present is not None:
        return present, False
    _refuse_too_many(project_id, picture)
    insert_new(
        ProjectImage,
        project_id=project_id,
        file_name=name or f"image.{_extension(picture.media_type)}",
        alt=text,
        media_type=picture.media_type,
        width=picture.width,
        height=picture.height,
        size=len(picture.data),
        content_hash=picture.content_hash,
        **place._asdict(),
        added_by=by[:200],
        created_at=utc_now(),
    )
    db.session.commit()
    image = _with_hash(project_id, picture.content_hash)
    if image is None:
        raise ServiceFailure("IMAGE_NOT_FOUND")
    return image, True


def describe_image(image: ProjectImage, alt: str | None) -> None:
    """Change what an image is said to show. Raises INVALID_REQUEST naming ``/alt``.

    The references in texts keep theirs.
    """
    image.alt = _clean_alt(alt)
    db.session.commit()


def remove_image(image: ProjectImage) -> None:
    """Remove an image for good. Raises IMAGE_IN_USE, with the ids of up to ten posts that show it."""
    posts = posts_by_image(image.project_id, [image.id])[image.id]
    if posts:
        raise ServiceFailure(
            "IMAGE_IN_USE", details={"blog_post_ids": [each.id for each in posts[:_MOST_NAMED]]}
        )
    place = Place(object_key=image.object_key)
    db.session.execute(delete(ProjectImage).where(ProjectImage.id == image.id))
    db.session.commit()
    picture_store.discard(place)


def posts_by_image(project_id: int, ids: Collection[int]) -> dict[int, list[ShowingPost]]:
    """Return the posts of a project whose texts show images, by the ids of these images.

    The newest come first, drafts that were removed and can be brought back last.
    """
    found: dict[int, list[ShowingPost]] = {image_id: [] for image_id in ids}
    if not found:
        return {}
    named = rf"image:({'|'.join(str(image_id) for image_id in found)})([^0-9]|$)"
    for post, content in (*_posts(project_id, named), *_removed_posts(project_id, named)):
        for image_id in found.keys() & image_ids(content):
            found[image_id].append(post)
    return found


def file_address(project_id: int, image_id: int) -> str:
    """Return where the API serves the picture of an image, whether or not there is one."""
    return f"/public-api/projects/{project_id}/images/{image_id}/file"


def sent_name(image: ProjectImage) -> str:
    """Return the name of an image's file at publish targets: readable, and different for each picture."""
    stem = "-".join(re.findall(r"[a-z0-9]+", PurePath(image.file_name).stem.lower()))[:_MOST_STEM].strip("-")
    return f"{stem or 'image'}-{image.content_hash[:8]}.{_extension(image.media_type)}"


def _posts(project_id: int, pattern: str) -> Iterator[tuple[ShowingPost, str]]:
    """Yield the posts whose texts match a pattern, with these, newest first."""
    matching = (BlogPost.project_id == project_id, BlogPost.content.regexp_match(pattern))
    statement = select(BlogPost.id, BlogPost.title, BlogPost.content).where(*matching)
    for post_id, title, content in db.session.execute(statement.order_by(BlogPost.id.desc())):
        yield ShowingPost(post_id, title, is_removed=False), content


def _removed_posts(project_id: int, pattern: str) -> Iterator[tuple[ShowingPost, str]]:
    title, content = (
        RemovedPost.rows[BlogPost.__tablename__, 0, name].as_string() for name in ("title", "content")
    )
    statement = (
        select(RemovedPost.blog_post_id, title, content)
        .join(PostRemoval, PostRemoval.id == RemovedPost.removal_id)
        .where(PostRemoval.project_id == project_id, content.regexp_match(pattern))
    )
    for post_id, its_title, its_content in db.session.execute(statement.order_by(RemovedPost.id.desc())):
        yield ShowingPost(post_id, its_title, is_removed=True), its_content


def _with_hash(project_id: int, content_hash: str) -> ProjectImage | None:
    where = (ProjectImage.project_id == project_id, ProjectImage.content_hash == content_hash)
    return db.session.scalar(select(ProjectImage).where(*where))


def _refuse_too_many(project_id: int, picture: Picture) -> None:
    totals = select(func.count(), func.coalesce(func.sum(ProjectImage.size), 0))
    count, size = db.session.execute(totals.where(ProjectImage.project_id == project_id)).one()
    if count < MOST_IMAGES and size + len(picture.data) <= MOST_TOTAL_BYTES:
        return
    message = f"A project has at most {MOST_IMAGES} images and {MOST_TOTAL_BYTES // 1_000_000} MB of them."
    raise ServiceFailure("LIMIT_REACHED", message, hints=["Remove images that no post shows."])


def _extension(media_type: str) -> str:
    return media_type.removeprefix("image/").replace("jpeg", "jpg")


def _clean_alt(alt: str | None) -> str:
    return clean_line("alt", alt, MOST_ALT) or ""


def _clean_name(file_name: str | None) -> str:
    text = clean_line("file_name", file_name, MOST_FILE_NAME) or ""
    return re.split(r"[/\\]", text)[-1].strip()
