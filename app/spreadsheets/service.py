"""Keeps an uploaded file until the person who sees its dry run confirms the import."""

from datetime import timedelta
from typing import Final

from sqlalchemy import delete

from app.failures import ServiceFailure, invalid_field
from app.infra.db import db
from app.infra.pruning import delete_older
from app.projects.model import Project
from app.spreadsheets.model import UploadedFile
from app.spreadsheets.tables import Table, UnreadableFile, tables_of

KEPT: Final = timedelta(days=1)
_MOST_NAME: Final = 200


def upload(project: Project, purpose: str, name: str, data: bytes) -> UploadedFile:
    """Keep a file for the import in place of the last one; commits. Raises INVALID_REQUEST for no table."""
    name = "".join(letter for letter in name if letter.isprintable())[-_MOST_NAME:]
    read(name, data)
    _remove(project.id, purpose)
    uploaded = UploadedFile(project_id=project.id, purpose=purpose, name=name, data=data)
    db.session.add(uploaded)
    db.session.commit()
    return uploaded


def get_upload(project: Project, purpose: str, upload_id: int) -> UploadedFile:
    """Return a file that waits. Raises NOT_FOUND when it was imported, replaced or removed."""
    uploaded = db.session.get(UploadedFile, upload_id)
    if uploaded is None or (uploaded.project_id, uploaded.purpose) != (project.id, purpose):
        raise ServiceFailure(
            "NOT_FOUND",
            "This file was imported already, another one took its place, or it waited for more than a day.",
            hints=["Choose it again."],
        )
    return uploaded


def remove_old_files() -> int:
    """Remove the files that nobody imported within KEPT; commits. Returns how many. Run it periodically."""
    return delete_older(UploadedFile.created_at, KEPT)


def read(name: str, data: bytes) -> list[Table]:
    """Return the tables of a file. Raises INVALID_REQUEST."""
    try:
        return tables_of(name, data)
    except UnreadableFile as error:
        raise invalid_field("/file", str(error)) from None


def discard(uploaded: UploadedFile) -> None:
    """Delete a file whose import is part of the present transaction. Nothing is committed."""
    _remove(uploaded.project_id, uploaded.purpose)


def _remove(project_id: int, purpose: str) -> None:
    db.session.execute(
        delete(UploadedFile).where(UploadedFile.project_id == project_id, UploadedFile.purpose == purpose)
    )
