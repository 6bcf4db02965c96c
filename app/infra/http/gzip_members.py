"""Where one member of gzip data ends and the next begins (RFC 1952, 2.2). Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

GZIP_MAGIC: Final = b"\x1f\x8b"


class NoMember(Exception):
    """Something else than a gzip member follows one."""


def next_member(data: bytes, stream: Iterator[bytes]) -> bytes:
    """Return the beginning of the next gzip member, or nothing at the end.

    ``data`` is what was read behind the last member, ``stream`` the rest. Zero padding is passed over, as
    gzip itself does. Raises NoMember.
    """
    while not (data := data.lstrip(b"\0")) or len(data) < len(GZIP_MAGIC):
        more = next(stream, b"")
        if not more:
            break
        data += more
    if data and not data.startswith(GZIP_MAGIC):
        raise NoMember
    return data
