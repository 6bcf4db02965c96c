"""A bucket: store, read, remove and list objects, over the service's HTTP client.

Every request may be repeated without harm, and is, once, if it fails for a reason that may pass. A process
makes a few at a time, so that a bucket that hangs does not occupy all threads of the web server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from threading import BoundedSemaphore
from typing import Final, NamedTuple
from urllib.parse import quote, urlencode

from app.config import Settings
from app.infra.clock import utc_now
from app.infra.hosts import split_url
from app.infra.http.client import PRODUCT, Fetcher
from app.infra.http.errors import FetchError
from app.infra.http.response import FetchPolicy, SmallResponse
from app.infra.s3.signature import Signer

_ATTEMPTS: Final = 2
_SECONDS: Final = 10.0
"""The longest time of one attempt: a person waits for it."""
_AT_A_TIME: Final = 4
_PATIENCE: Final = 3.0
"""Seconds that a request waits for its turn."""
_MOST_BYTES: Final = 32 * 1024 * 1024
_ERROR_CODE: Final = re.compile(rb"<Code>([A-Za-z0-9._-]{1,60})</Code>")


_turns: Final = BoundedSemaphore(_AT_A_TIME)


class BucketError(Exception):
    """A request that failed twice, or was refused. The message is for the log and has no secret."""


class ObjectMissing(BucketError):
    """The bucket has no object of this key."""


class StoredObject(NamedTuple):
    key: str
    stored_at: datetime


def bucket_from(settings: Settings) -> Bucket | None:
    """Return the bucket of the settings, None if none is set."""
    endpoint, name = settings.s3_endpoint, settings.s3_bucket
    key_id, secret = settings.s3_access_key_id, settings.s3_secret_access_key
    if endpoint is None or name is None or key_id is None or secret is None:
        return None
    place = split_url(endpoint)
    # The operator chose the server: its address may be private, for these requests alone.
    own = frozenset({(place.host.text, place.port)} if place.host.is_address else ())
    policy = FetchPolicy(
        f"{PRODUCT}/1.0", allow=own, connect_timeout=5.0, total_seconds=_SECONDS, max_bytes=_MOST_BYTES
    )
    signer = Signer(key_id, secret, settings.s3_region)
    return Bucket(f"{place.scheme}://{place.authority}/{name}", signer, Fetcher(policy))


@dataclass(frozen=True)
class Bucket:
    """A bucket at ``url``. Its methods raise BucketError."""

    url: str
    signer: Signer
    http: Fetcher

    def put(self, key: str, data: bytes, media_type: str) -> None:
        """Store an object; an object of this key is replaced."""
        self._call("PUT", self._address(key), data, {"content-type": media_type})

    def get(self, key: str) -> bytes:
        """Return an object. Raises ObjectMissing."""
        answer = self._call("GET", self._address(key), accepted=(200, 404))
        if answer.status == 404:
            raise ObjectMissing(f"GET at the bucket failed: {_problem(answer)}")
        return answer.body

    def remove(self, key: str) -> None:
        """Remove an object; one that is not there is removed already."""
        self._call("DELETE", self._address(key), accepted=(200, 204, 404))

    def objects(self, prefix: str, at_once: int = 1000) -> Iterator[StoredObject]:
        """Yield the objects whose keys begin with a prefix, in the order of their keys."""
        asked = {"list-type": "2", "prefix": prefix, "max-keys": str(at_once)}
        token: str | None = ""
        while token is not None:
            page = {**asked, "continuation-token": token} if token else asked
            answer = self._call("GET", f"{self.url}?{urlencode(page, quote_via=quote, safe='')}")
            found, token = _listed(answer.body)
            yield from found

    def _address(self, key: str) -> str:
        return f"{self.url}/{quote(key, safe='/')}"

    def _call(
        self,
        method: str,
        url: str,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
        accepted: tuple[int, ...] = (200,),
    ) -> SmallResponse:
        if not _turns.acquire(timeout=_PATIENCE):
            raise BucketError(f"{method} at the bucket failed: too many requests wait for it")
        try:
            return self._tried(method, url, body, headers or {}, accepted)
        finally:
            _turns.release()

    def _tried(
        self, method: str, url: str, body: bytes, headers: dict[str, str], accepted: tuple[int, ...]
    ) -> SmallResponse:
        problem = ""
        for _ in range(_ATTEMPTS):
            signed = self.signer.signed(method, url, body, utc_now(), headers)
            try:
                answer = self.http.request(method, url, body or None, signed)
            except FetchError as error:
                problem = f"{error.kind}: {error.message}"
                continue
            if answer.status in accepted:
                return answer
            problem = _problem(answer)
            if answer.status < 500 and answer.status != 429:
                break
        raise BucketError(f"{method} at the bucket failed: {problem}")


def _problem(answer: SmallResponse) -> str:
    code = _ERROR_CODE.search(answer.body)
    return f"{answer.status} {code[1].decode('ascii') if code else ''}".strip()


def _listed(body: bytes) -> tuple[list[StoredObject], str | None]:
    from lxml import etree

    try:
        root = etree.fromstring(body, etree.XMLParser(resolve_entities=False, no_network=True))
        found = [
            StoredObject(
                each.findtext("{*}Key") or "", datetime.fromisoformat(each.findtext("{*}LastModified") or "")
            )
            for each in root.iterfind("{*}Contents")
        ]
    except (etree.XMLSyntaxError, ValueError) as error:
        raise BucketError("The bucket's list of objects cannot be read.") from error
    return found, root.findtext("{*}NextContinuationToken") or None
