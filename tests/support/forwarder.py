"""A TCP proxy: in front of the web processes as a router, or in front of Redis, which then speaks TLS."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Sequence
from contextlib import suppress
from itertools import count

Address = int | str
"""A port of the loopback or the path of a unix socket."""

_AT_ONCE = 65_536


class Forwarder:
    """Passes each connection on to the next of its backends, or to another one if that refuses it.

    Nothing is sent twice: what becomes of a connection that a backend has accepted is seen by the client.
    """

    def __init__(self, *backends: Address, tls: ssl.SSLContext | None = None) -> None:
        self._backends: Sequence[Address] = backends
        self._numbers = count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="forwarder", daemon=True)
        self._thread.start()
        starting = asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls, backlog=1000)
        server = asyncio.run_coroutine_threadsafe(starting, self._loop).result()
        self.port: int = server.sockets[0].getsockname()[1]

    def close(self) -> None:
        """Stop; open connections are cut."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def _serve(self, client: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        try:
            server, request = await self._connected()
        except OSError:
            answer.close()
            return
        await asyncio.gather(_copy(client, request), _copy(server, answer))

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        first = next(self._numbers)
        refused: OSError | None = None
        for number in range(len(self._backends)):
            try:
                return await _connect(self._backends[(first + number) % len(self._backends)])
            except OSError as error:
                refused = error
        raise refused or ConnectionRefusedError


async def _connect(backend: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if isinstance(backend, str):
        return await asyncio.open_unix_connection(backend)
    return await asyncio.open_connection("127.0.0.1", backend)


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError, ssl.SSLError):
        while data := await source.read(_AT_ONCE):
            target.write(data)
            await target.drain()
    with suppress(OSError, ssl.SSLError):
        target.close()
