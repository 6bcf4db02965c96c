"""One request while it is received: what of it is accepted, in bytes."""

from typing import Final

from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser
from waitress.utilities import BadRequest

LARGEST_HEADERS: Final = 32_768
LARGEST_BODY: Final = 11_000_000
"""The most that any endpoint takes. The application knows how much less each of them takes."""

_LONGEST_CHUNK_LINE: Final = 8_192
_CHUNK_OVERHEAD: Final = 65_536
_API: Final = "/public-api"


class RequestTimeout(BadRequest):  # type: ignore[misc]
    """The request did not arrive in time."""

    code = 408
    reason = "Request Timeout"


class Request(HTTPRequestParser):  # type: ignore[misc]
    """A request. Chunks that are mostly framing are refused: they cost far more than their content."""

    completed: bool
    headers_finished: bool

    # What a request has that is refused before its first line is understood.
    command = "GET"
    path = request_uri = _API
    query = ""
    url_scheme = "http"

    def __init__(self, adjustments: Adjustments) -> None:
        super().__init__(adjustments)
        self._start = b""

    def received(self, data: bytes) -> int:
        """Take what belongs to this request; returns how much that was."""
        if len(self._start) < LARGEST_HEADERS and not self.headers_finished:
            self._start += data
        consumed: int = super().received(data)
        if self.chunked and not self.completed and self._is_mostly_framing():
            self.error = BadRequest("The chunks are too small.")
            self.completed = True
        if self.error is not None:
            self.expect_continue = False  # no body is wanted any more
            self.path = self._path()
        if self.headers_finished:
            self._start = b""
        return consumed

    def refuse(self, error: BadRequest) -> None:
        """End the request early."""
        self.error = error
        self.completed = True
        self.path = self._path()

    def _is_mostly_framing(self) -> bool:
        body = self.body_rcv
        if len(body.control_line) + len(body.trailer) > _LONGEST_CHUNK_LINE:
            return True
        return bool(self.body_bytes_received > 2 * len(body) + _CHUNK_OVERHEAD)

    def _path(self) -> str:
        """Return the path, also of a request whose headers cannot be understood."""
        if not self._start:
            return self.path
        words = self._start.lstrip().split(b"\r\n", 1)[0].split(b" ")
        path = words[1].partition(b"?")[0] if len(words) > 1 else b""
        return path.decode("latin-1") if path.startswith(b"/") else _API
