"""A server that speaks S3, with one bucket and one key. It checks signatures and what the key may do."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from xml.etree import ElementTree

import pytest

from app.config import load_settings
from app.infra.s3.bucket import Bucket, bucket_from
from devtools import tied
from tests.support.environment import settings_environment
from tests.support.waiting import eventually

NAME = "pictures"
_UNSIGNED = (
    "AWS4-HMAC-SHA256 Credential=setup/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0"
)
_UNCHECKED = 4
"""The requests that set the server up: user, rights, key and bucket."""
_RIGHTS = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Effect": "Allow",
            "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
            "Resource": f"arn:aws:s3:::{NAME}/*",
        },
        {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": f"arn:aws:s3:::{NAME}"},
    ],
}


@dataclass(frozen=True)
class BucketServer:
    """A running server, and the key that docs/deployment.md describes."""

    port: int
    key_id: str
    secret: str

    def settings(self, **more: str) -> dict[str, str]:
        """The settings of a service that stores its pictures there."""
        return {
            "IMAGE_STORAGE": "s3",
            "S3_ENDPOINT": f"http://127.0.0.1:{self.port}",
            "S3_BUCKET": NAME,
            "S3_ACCESS_KEY_ID": self.key_id,
            "S3_SECRET_ACCESS_KEY": self.secret,
            "S3_PREFIX": "tests/ours",
            **more,
        }

    def bucket(self, **more: str) -> Bucket:
        """The bucket as the service sees it with these settings."""
        bucket = bucket_from(load_settings(settings_environment(**self.settings(**more))))
        assert bucket is not None
        return bucket

    def stored(self) -> list[str]:
        """The keys of all objects."""
        return [each.key for each in self.bucket().objects("")]


@pytest.fixture(scope="session")
def _bucket_server() -> Iterator[BucketServer]:
    port = _free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    env = {**os.environ, "INITIAL_NO_AUTH_ACTION_COUNT": str(_UNCHECKED)}
    process = tied.start(command, output=subprocess.DEVNULL, env=env)
    try:
        eventually(lambda: _listens(port), "the server of buckets listens")
        yield BucketServer(port, *_set_up(port))
    finally:
        tied.stop(process)


@pytest.fixture
def bucket_server(_bucket_server: BucketServer) -> BucketServer:
    """A server that speaks S3, with an empty bucket."""
    bucket = _bucket_server.bucket()
    for key in _bucket_server.stored():
        bucket.remove(key)
    return _bucket_server


def _set_up(port: int) -> tuple[str, str]:
    """Make a user with the rights, its key and the bucket; returns the key."""
    _identity(port, "CreateUser", UserName="service")
    _identity(port, "PutUserPolicy", UserName="service", PolicyName="own", PolicyDocument=json.dumps(_RIGHTS))
    answer = _identity(port, "CreateAccessKey", UserName="service")
    urlopen(Request(f"http://127.0.0.1:{port}/{NAME}", method="PUT")).close()
    key_id, secret = (answer.findtext(f".//{{*}}{name}") for name in ("AccessKeyId", "SecretAccessKey"))
    assert key_id
    assert secret
    return key_id, secret


def _identity(port: int, action: str, **members: str) -> ElementTree.Element:
    body = urlencode({"Action": action, "Version": "2010-05-08", **members}).encode()
    with urlopen(Request(f"http://127.0.0.1:{port}/", body, {"Authorization": _UNSIGNED})) as answer:
        return ElementTree.fromstring(answer.read())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
