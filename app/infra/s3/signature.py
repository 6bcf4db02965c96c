"""AWS Signature Version 4 of a request whose whole body is known. Pure.

docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html describes it.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import reduce
from typing import Final

from app.infra.hosts import split_url

_ALGORITHM: Final = "AWS4-HMAC-SHA256"
_SERVICE: Final = "s3"


@dataclass(frozen=True)
class Signer:
    """A key, and the region in which it signs requests."""

    key_id: str
    secret: str = field(repr=False)
    region: str

    def signed(
        self, method: str, url: str, body: bytes, moment: datetime, headers: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """Return the headers to send, except Host, in lower case: the given ones, and those that sign them.

        Path and query of ``url`` are percent-encoded as they are sent. Raises InvalidUrl.
        """
        parts = split_url(url)
        stamp = moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        sent = {name.lower(): " ".join(value.split()) for name, value in (headers or {}).items()}
        sent |= {"x-amz-content-sha256": _digest(body), "x-amz-date": stamp}
        all_headers = sorted({**sent, "host": parts.authority}.items())
        names = ";".join(name for name, _ in all_headers)
        lines = [f"{name}:{value}" for name, value in all_headers]
        request = [method, parts.path or "/", _query(parts.query), *lines, "", names, _digest(body)]
        scope = (stamp[:8], self.region, _SERVICE, "aws4_request")
        text = "\n".join((_ALGORITHM, stamp, "/".join(scope), _digest("\n".join(request).encode())))
        signature = reduce(_mac, (*scope, text), f"AWS4{self.secret}".encode()).hex()
        credential = "/".join((self.key_id, *scope))
        fields = f"Credential={credential},SignedHeaders={names},Signature={signature}"
        return {**sent, "authorization": f"{_ALGORITHM} {fields}"}


def _query(query: str) -> str:
    members = (member if "=" in member else f"{member}=" for member in query.split("&") if member)
    return "&".join(sorted(members))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
