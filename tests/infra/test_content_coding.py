"""Compressed responses, however the data is split."""

from __future__ import annotations

import gzip
import zlib

import pytest

from app.infra.http.content_coding import decoded
from app.infra.http.errors import FetchError, FetchErrorKind

FIRST, SECOND = gzip.compress(b"one", mtime=0), gzip.compress(b"two", mtime=0)


@pytest.mark.parametrize("padding", [b"", b"\0", b"\0\0\0"])
def test_gzip_members_are_read_however_the_data_is_split(padding: bytes) -> None:
    sent = FIRST + padding + SECOND
    for cut in range(1, len(sent)):
        assert b"".join(decoded(iter([sent[:cut], sent[cut:]]), "gzip", 100)) == b"onetwo"


@pytest.mark.parametrize("coding", ["", "identity", "none", "UTF-8", "binary, Identity", ","])
def test_a_coding_that_is_no_compression_is_ignored(coding: str) -> None:
    assert b"".join(decoded(iter([b"one"]), coding, 100)) == b"one"


@pytest.mark.parametrize("coding", ["gzip, identity", "utf-8, GZIP", "gzip, gzip", "deflate,gzip"])
def test_several_codings_are_decoded_from_the_last(coding: str) -> None:
    layers = [name for name in coding.lower().split(",") if "gzip" in name or "deflate" in name]
    sent = b"one"
    for name in layers:
        sent = zlib.compress(sent) if name == "deflate" else gzip.compress(sent, mtime=0)
    assert b"".join(decoded(iter([sent[:1], sent[1:]]), coding, 100)) == b"one"


def test_a_coding_listed_twice_may_be_applied_once() -> None:
    assert b"".join(decoded(iter([FIRST]), "gzip, gzip", 100)) == b"one"


def test_each_coding_has_the_size_limit() -> None:
    bomb = gzip.compress(gzip.compress(b"\0" * 100_000, mtime=0), mtime=0)
    with pytest.raises(FetchError) as error:
        list(decoded(iter([bomb]), "gzip, gzip", 1000))
    assert error.value.kind is FetchErrorKind.TOO_LARGE


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_little_data_never_becomes_a_large_piece(coding: str) -> None:
    """So that a bomb is noticed before it is in memory."""
    zeros = b"\0" * 10_000_000
    bomb = gzip.compress(zeros, mtime=0) if coding == "gzip" else zlib.compress(zeros)
    assert max(map(len, decoded(iter([bomb]), coding, len(zeros)))) <= 65_536


@pytest.mark.parametrize("coding", ["br", "gzip, zstd", "gzip, gzip, gzip"])
def test_a_coding_that_was_not_requested_is_refused(coding: str) -> None:
    with pytest.raises(FetchError) as error:
        decoded(iter([FIRST]), coding, 100)
    assert error.value.kind is FetchErrorKind.PROTOCOL
