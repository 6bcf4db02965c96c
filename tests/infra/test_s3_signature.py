"""The signature of requests to a bucket: the examples that Amazon publishes for it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.infra.s3.signature import Signer

# docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
SIGNER = Signer("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1")
PLACE = "https://examplebucket.s3.amazonaws.com"
AT = datetime(2013, 5, 24, tzinfo=UTC)
STORE = {"Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"}


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "signature"),
    [
        ("GET", "/test.txt", b"", {"Range": "bytes=0-9"},
         "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        ("PUT", "/test%24file.text", b"Welcome to Amazon S3.", STORE,
         "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        ("GET", "/?lifecycle", b"", {},
         "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ("GET", "/?prefix=J&max-keys=2", b"", {},
         "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ],
)  # fmt: skip
def test_a_request_is_signed_as_amazon_signs_it(
    method: str, path: str, body: bytes, headers: dict[str, str], signature: str
) -> None:
    sent = SIGNER.signed(method, f"{PLACE}{path}", body, AT, headers)
    assert sent["authorization"].endswith(f",Signature={signature}")
    assert "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request," in sent["authorization"]


def test_the_secret_is_neither_sent_nor_shown() -> None:
    sent = SIGNER.signed("GET", f"{PLACE}/a", b"", AT)
    assert SIGNER.secret not in f"{sent} {SIGNER}"
    assert sent["x-amz-date"] == "20130524T000000Z"
