"""Where uploaded pictures are: in their rows, or in a bucket, as IMAGE_STORAGE says for new ones.

A picture is in the bucket before its row is committed, and is removed after its row is gone. Each upload has
a key of its own, so removing one never takes the picture of another row. posts.picture_upkeep removes what is
left without a row.
"""

import hashlib
import logging
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import InstrumentedAttribute

from app.content.assembly.pictures import Picture
from app.content.model import BlogPostCover, ProjectImage
from app.failures import ServiceFailure
from app.infra.db import db, release
from app.infra.s3.bucket import Bucket, BucketError, ObjectMissing, bucket_from
from app.infra.settings import current_settings

_log = logging.getLogger(__name__)

_FOLDER: Final = "images/"

ImageModel = type[ProjectImage] | type[BlogPostCover]
"""The tables whose rows have a picture."""


class Place(NamedTuple):
    """Where a picture is: one of the two. The columns of StoredPicture have these names."""

    data: bytes | None = None
    object_key: str | None = None


class PictureLost(ServiceFailure):
    """The bucket has no object of a row's key, or another one than was stored: asking again does not help."""


class RowStore:
    """Pictures in the rows themselves."""

    def put(self, picture: Picture) -> Place:
        """Return the picture as its own place."""
        return Place(data=picture.data)

    def get(self, place: Place) -> bytes:
        """Return the picture."""
        return place.data or b""

    def remove(self, place: Place) -> None:
        """Do nothing: the picture went with its row."""


@dataclass(frozen=True)
class BucketStore:
    """Pictures in a bucket, below a folder. No transaction is open during its requests."""

    bucket: Bucket
    folder: str

    def put(self, picture: Picture) -> Place:
        """Store the picture under a new key, which begins with its hash."""
        db.session.rollback()
        key = f"{self.folder}{picture.content_hash}-{secrets.token_hex(8)}"
        try:
            self.bucket.put(key, picture.data, picture.media_type)
        except BucketError as error:
            raise _failed(error) from error
        return Place(object_key=key)

    def get(self, place: Place) -> bytes:
        """Return the picture, which has to have the hash of its key."""
        release()
        key = place.object_key or ""
        try:
            data = self.bucket.get(key)
        except BucketError as error:
            raise _failed(error) from error
        if f"{hashlib.sha256(data).hexdigest()}-" not in key:
            raise _failed(ObjectMissing("An object of the bucket is not the picture that was stored."))
        return data

    def remove(self, place: Place) -> None:
        """Remove the object; if that fails, it is pruned later."""
        try:
            self.bucket.remove(place.object_key or "")
        except BucketError as error:
            _log.warning("An object stays in the bucket until it is pruned. %s", error)


def put(picture: Picture) -> Place:
    """Store a new picture; return its place, for a row that is committed next.

    Raises IMAGE_STORAGE_FAILED.
    """
    return store().put(picture)


def load(model: ImageModel, row_id: int) -> bytes | None:
    """Return the picture of a row, None without such a row. Raises IMAGE_STORAGE_FAILED, PictureLost."""
    where = row_id_of(model) == row_id
    row = db.session.execute(select(model.data, model.object_key).where(where)).one_or_none()
    if row is None:
        return None
    place = Place(*row)
    return store_of(place).get(place)


def discard(place: Place) -> None:
    """Remove a picture whose row is gone, or names another place. What fails now is pruned later."""
    with suppress(ServiceFailure):
        store_of(place).remove(place)


def row_id_of(model: ImageModel) -> InstrumentedAttribute[int]:
    """Return the column by which ``load`` finds a row."""
    return ProjectImage.id if model is ProjectImage else BlogPostCover.blog_post_id


def store() -> RowStore | BucketStore:
    """Return the store of new pictures. Raises IMAGE_STORAGE_FAILED."""
    return bucket_store() if current_settings().image_storage == "s3" else RowStore()


def store_of(place: Place) -> RowStore | BucketStore:
    """Return the store that has a picture. Raises IMAGE_STORAGE_FAILED if its bucket is not set any more."""
    return RowStore() if place.object_key is None else bucket_store()


def bucket_store() -> BucketStore:
    """Return the store in the bucket of the settings. Raises IMAGE_STORAGE_FAILED if there is none."""
    settings = current_settings()
    bucket = bucket_from(settings)
    if bucket is None:
        raise _failed(BucketError("A picture is in a bucket, and the S3 settings are missing."))
    return BucketStore(bucket, f"{settings.s3_prefix}/{_FOLDER}" if settings.s3_prefix else _FOLDER)


def _failed(error: BucketError) -> ServiceFailure:
    _log.error("The storage of images failed. %s", error)
    kind = PictureLost if isinstance(error, ObjectMissing) else ServiceFailure
    return kind("IMAGE_STORAGE_FAILED")
