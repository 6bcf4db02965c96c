"""A download with many pictures is written with one of them in memory at a time."""

from __future__ import annotations

import os
import tracemalloc
from io import RawIOBase

import pytest
from flask import Flask

from app.content.model import ProjectImage
from app.content.posts.covers import cover_bytes
from app.infra.db import db
from app.publishing.export import Format, export_of
from tests.support.publishing import alice_project, post_of

PICTURES = 12
EACH = 500_000


class Length(RawIOBase):
    """A file that only knows how long it is."""

    length = 0

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        size = memoryview(data).nbytes  # type: ignore[arg-type]
        self.length += size
        return size


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.mark.parametrize("form", ["html", "zip"])
def test_a_download_needs_the_memory_of_one_picture(db_app: Flask, form: Format) -> None:
    project = alice_project()
    for number in range(PICTURES):
        db.session.add(ProjectImage(
            project_id=project.id, file_name=f"{number}.png", media_type="image/png", width=1, height=1,
            size=EACH, content_hash=f"{number:064}", data=os.urandom(EACH),
        ))  # fmt: skip
    db.session.commit()
    ids = db.session.scalars(db.select(ProjectImage.id)).all()
    post = post_of(project, content="\n\n".join(f"![x](image:{each})" for each in ids))
    cover_bytes(post)  # loads the fonts
    export, file = export_of(post, form), Length()
    tracemalloc.start()
    try:
        export.write(file)  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert file.length > PICTURES * EACH
    assert peak < 6 * EACH
