"""Encrypts every stored secret with the present key, so that the former ones can be dropped."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, select, update

from app.infra.crypto import Ciphertext, UnreadableSecret, encrypted_anew
from app.infra.db import Base, changed_rows, db, in_order

_ROWS_AT_ONCE: Final = 200


@dataclass
class Rotation:
    """What became of one column: rows that were changed, and the ids of those that no key can read."""

    column: str
    changed: int
    unreadable: list[int]


def rotate_all() -> list[Rotation]:
    """Encrypt all secrets with the present key, and commit every few rows.

    It may be stopped and started again, and run beside the service: what is replaced meanwhile stays.
    """
    return [_rotate(column) for column in _ciphertexts()]


def _ciphertexts() -> Iterator[Column[Any]]:
    for table in Base.metadata.sorted_tables:
        yield from (column for column in table.columns if isinstance(column.type, Ciphertext))


def _rotate(column: Column[Any]) -> Rotation:
    done = Rotation(str(column), 0, [])
    stored = select(column).where(column.is_not(None))
    for rows in in_order(stored, _key(column.table), _ROWS_AT_ONCE):
        for token, row_id in rows:
            try:
                done.changed += _replace(column, row_id, token, encrypted_anew(token))
            except UnreadableSecret:
                done.unreadable.append(row_id)
        db.session.commit()
    return done


def _replace(column: Column[Any], row_id: int, former: str, token: str) -> int:
    if token == former:
        return 0
    table = column.table
    found = (_key(table) == row_id, column == former)
    return changed_rows(update(table).where(*found).values({column.name: token}))


def _key(table: Any) -> Any:
    (key,) = table.primary_key.columns
    return key
