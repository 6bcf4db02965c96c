"""Compressed answers, however the wire cuts them."""

from __future__ import annotations

import gzip

import pytest

from app.infra.content_coding import decoded

FIRST, SECOND = gzip.compress(b"one", mtime=0), gzip.compress(b"two", mtime=0)


@pytest.mark.parametrize("padding", [b"", b"\0", b"\0\0\0"])
def test_no_member_is_lost_wherever_the_wire_cuts(padding: bytes) -> None:
    sent = FIRST + padding + SECOND
    for cut in range(1, len(sent)):
        assert b"".join(decoded(iter([sent[:cut], sent[cut:]]), "gzip", 100)) == b"onetwo"
