"""The connection under a call to a provider, so that it can be cut while its reader waits."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

_OPENED: Final = (".connect_tcp.complete", ".start_tls.complete")


class Connection:
    """The connection under a call. To close it would not wake its reader, nor tell the server."""

    def __init__(self) -> None:
        self._stream: Any = None
        self._is_cut = False

    @property
    def hooks(self) -> dict[str, Any]:
        """The event hooks by which an HTTP client (httpx) makes its connection known here."""
        return {"request": [self._watch]}

    def cut(self) -> None:
        """End the connection in both directions, also one that is only opened later."""
        self._is_cut = True
        if self._stream is not None:
            with suppress(OSError):
                self._stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def _watch(self, request: Any) -> None:
        """Learn of the connection that a request is about to open, by httpx's trace extension."""
        request.extensions["trace"] = self._trace

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(_OPENED):
            self._stream = info["return_value"]
            if self._is_cut:
                self.cut()
