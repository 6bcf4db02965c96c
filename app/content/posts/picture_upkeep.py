"""Upkeep of stored pictures: moves them between database and bucket, and removes those that no row names."""

import logging
import re
from collections.abc import Collection, Iterator
from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import select, union, update

from app.content.assembly.pictures import Picture
from app.content.model import BlogPostCover, ProjectImage, RemovedPost
from app.content.posts.picture_store import (
    BucketStore,
    ImageModel,
    PictureLost,
    Place,
    bucket_store,
    discard,
    load,
    put,
    row_id_of,
)
from app.infra.clock import utc_now
from app.infra.db import batches, changed_rows, db, release
from app.infra.s3.bucket import BucketError, StoredObject, bucket_from
from app.infra.settings import current_settings

_log = logging.getLogger(__name__)

_KEPT_WITHOUT_ROW: Final = timedelta(days=1)
_KEY: Final = re.compile(r"[0-9a-f]{64}-[0-9a-f]{16}")
_KEYS_AT_ONCE: Final = 500
_MODELS: Final[tuple[ImageModel, ...]] = (ProjectImage, BlogPostCover)


class Move(NamedTuple):
    """How many pictures are moved so far, and the row of the last one if its bucket has lost it."""

    moved: int
    lost: str = ""


def move_pictures() -> Iterator[Move]:
    """Move pictures to where IMAGE_STORAGE says, one at a time; yield the state after each.

    Each picture is there before its row names it, and is removed from its former place afterwards, so a move
    may end at any point and be started again. A lost picture stays where it is. Raises IMAGE_STORAGE_FAILED.
    """
    moved = 0
    for model in _MODELS:
        for row_id in _elsewhere(model):
            try:
                moved += _move(model, row_id)
            except PictureLost:
                yield Move(moved, f"{model.__tablename__} {row_id}")
            else:
                yield Move(moved)


def prune_objects() -> int:
    """Remove objects of the bucket that no row names, a day after they were stored; return how many.

    Run it periodically. If the bucket fails, the next run goes on.
    """
    if bucket_from(current_settings()) is None:
        return 0
    store, removed = bucket_store(), 0
    release()
    try:
        for batch in batches(_old_objects(store), _KEYS_AT_ONCE):
            keys = {each.key for each in batch}
            unnamed = keys - _named(keys)
            release()
            for key in unnamed:
                store.bucket.remove(key)
                removed += 1
    except BucketError as error:
        _log.warning("Objects that no row names stay in the bucket. %s", error)
    return removed


def _elsewhere(model: ImageModel) -> Iterator[int]:
    """Yield the ids of the rows whose picture is not where IMAGE_STORAGE says, in their order."""
    key = row_id_of(model)
    to_bucket = current_settings().image_storage == "s3"
    misplaced = model.object_key.is_(None) if to_bucket else model.object_key.is_not(None)
    last = 0
    while True:
        row_id = db.session.scalar(select(key).where(misplaced, key > last).order_by(key).limit(1))
        if row_id is None:
            return
        yield row_id
        last = row_id


def _move(model: ImageModel, row_id: int) -> int:
    """Move the picture of a row, unless the row has another by then; return how many were moved."""
    is_row = row_id_of(model) == row_id
    facts = (model.object_key, model.content_hash, model.media_type, model.width, model.height)
    row = db.session.execute(select(*facts).where(is_row)).one_or_none()
    data = load(model, row_id)
    if row is None or data is None:
        return 0
    object_key, content_hash, media_type, width, height = row
    place = put(Picture(data, media_type, width, height))
    same = (model.object_key.is_not_distinct_from(object_key), model.content_hash == content_hash)
    moved = changed_rows(update(model).where(is_row, *same).values(**place._asdict()))
    db.session.commit()
    if moved:
        discard(Place(object_key=object_key))
    return moved


def _old_objects(store: BucketStore) -> Iterator[StoredObject]:
    """Yield the objects that this service stored more than a day ago."""
    before = utc_now() - _KEPT_WITHOUT_ROW
    for each in store.bucket.objects(store.folder):
        if each.stored_at < before and _KEY.fullmatch(each.key.removeprefix(store.folder)):
            yield each


def _named(keys: Collection[str]) -> set[str]:
    """Return those of some keys that rows name, among them the packed rows of removed posts.

    One statement sees them all at one moment: a post that is removed or brought back meanwhile has its key.
    """
    packed = RemovedPost.rows[BlogPostCover.__tablename__, 0, "object_key"].as_string()
    columns = (ProjectImage.object_key, BlogPostCover.object_key, packed)
    return set(db.session.scalars(union(*(select(column).where(column.in_(keys)) for column in columns))))
