"""Everything that the service has of an account as a zip, written while it is sent: it may be large.

Posts are Markdown and JSON, lists are CSV files that spreadsheet programs open safely, and every row of the
account is in a file of JSON lines for its table. Secrets, digests and pictures that can be downloaded with
their posts are left out.
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Column, LargeBinary, Select, literal, select, tuple_

from app.accounts.model import Account
from app.content.model import BlogPost
from app.content.posts import files as post_files
from app.content.posts.service import PostFilter
from app.infra.clock import rfc3339
from app.infra.crypto import Ciphertext
from app.infra.db import db, release
from app.keywords import files as keyword_files
from app.offboarding.ownership import Rows, project_ids, rows_of_account, rows_of_project
from app.pages import files as page_files
from app.projects.model import Project
from app.publishing.export import export_of

SECRETS: Final = frozenset({"password_hash", "code_hash"})
"""Columns that are never exported, besides what is encrypted and what is bytes: digests, pictures."""

_ROWS_AT_ONCE: Final = 500

_README: Final = """\
Everything that this service has of your account.

projects/*/posts/*.md     each post as Markdown; .json has all that a blog gets
projects/*/*.csv          pages, keywords and posts, for spreadsheet programs
projects/*/tables/*.jsonl every row of the project, one JSON object a line
tables/*.jsonl            every other row of the account

Secrets are left out. Pictures are downloaded with their posts.
"""


def export_chunks(account: Account) -> Iterator[bytes]:
    """Yield the bytes of the zip. No transaction is open while they are read."""
    rows, projects = list(rows_of_account(account)), project_ids(account.id)
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _README)
        for project_id in projects:
            yield from _project(archive, sink, project_id)
        for each in rows:
            yield from _stream(archive, sink, f"tables/{each.table.name}.jsonl", _lines(each))
    yield sink.taken()


class _Sink(io.RawIOBase):
    """A file to write only, whose bytes are taken as they come."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        """Return what was written since the last call."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _project(archive: zipfile.ZipFile, sink: _Sink, project_id: int) -> Iterator[bytes]:
    folder = f"projects/{project_id}"
    lists: dict[str, Callable[[Project], Iterator[str]]] = {
        "pages": lambda project: page_files.export_lines(project, ()),
        "keywords": keyword_files.export_lines,
        "posts": lambda project: post_files.export_lines(project, PostFilter()),
    }
    for name, lines_of in lists.items():
        project = db.session.get(Project, project_id)
        if project is None:
            return
        yield from _stream(archive, sink, f"{folder}/{name}.csv", lines_of(project))
    yield from _posts(archive, sink, folder, project_id)
    for each in rows_of_project(project_id):
        yield from _stream(archive, sink, f"{folder}/tables/{each.table.name}.jsonl", _lines(each))


def _posts(archive: zipfile.ZipFile, sink: _Sink, folder: str, project_id: int) -> Iterator[bytes]:
    last = 0
    following = select(BlogPost).where(BlogPost.project_id == project_id).order_by(BlogPost.id).limit(1)
    while post := db.session.scalar(following.where(BlogPost.id > last)):
        last = post.id
        for export in (export_of(post, "markdown"), export_of(post, "json")):
            written = io.BytesIO()
            export.write(written)
            archive.writestr(f"{folder}/posts/{last}-{export.file_name}", written.getvalue())
        release()
        yield sink.taken()


def _stream(archive: zipfile.ZipFile, sink: _Sink, name: str, lines: Iterable[str]) -> Iterator[bytes]:
    iterator = iter(lines)
    first = next(iterator, None)
    if first is None:
        return
    with archive.open(name, "w", force_zip64=True) as file:
        file.write(first.encode())
        for number, line in enumerate(iterator):
            file.write(line.encode())
            if number % _ROWS_AT_ONCE == 0:
                yield sink.taken()
    yield sink.taken()


def _lines(rows: Rows) -> Iterator[str]:
    """Yield the rows as JSON, in the order of their keys. No transaction is open between the batches."""
    columns = [column for column in rows.table.columns if is_exported(column)]
    last: tuple[Any, ...] | None = None
    while batch := db.session.execute(_after(rows, columns, last)).all():
        release()
        for row in batch:
            members = dict(zip((column.name for column in columns), row, strict=False))
            yield json.dumps(members, ensure_ascii=False, default=_plain) + "\n"
        last = tuple(batch[-1][len(columns) :])
    release()


def is_exported(column: Column[Any]) -> bool:
    """Return whether a column is no secret and no bytes."""
    return column.name not in SECRETS and not isinstance(column.type, Ciphertext | LargeBinary)


def _after(rows: Rows, columns: list[Column[Any]], last: tuple[Any, ...] | None) -> Select[*tuple[Any, ...]]:
    key = list(rows.table.primary_key.columns)
    statement = select(*columns, *(column.label(f"key_{column.name}") for column in key))
    statement = statement.where(rows.condition).order_by(*key).limit(_ROWS_AT_ONCE)
    if last is None:
        return statement
    values = (literal(value, column.type) for value, column in zip(last, key, strict=True))
    return statement.where(tuple_(*key) > tuple_(*values))


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return str(rfc3339(value))
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(type(value).__name__)
