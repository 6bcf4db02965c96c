"""The web server: gunicorn keeps its processes, and waitress receives requests before they take a thread."""

import logging
import os
import resource
import time
from types import FrameType
from typing import Any, Final

from gunicorn.workers.base import Worker
from waitress.task import ThreadedTaskDispatcher

from app.edge.listener import Listener, adjustments
from app.edge.polling import poll

_TICK: Final = 1.0
_MOST_FILES: Final = 65_536


class BufferedWorker(Worker):  # type: ignore[misc]
    """A web process of gunicorn: ``--threads``, ``--keep-alive``, ``--worker-connections``, TCP only."""

    @classmethod
    def check_config(cls, cfg: Any, _log: logging.Logger) -> None:
        """Raise RuntimeError for what this class of workers cannot do."""
        if cfg.is_ssl or not all(isinstance(address, tuple) for address in cfg.address):
            raise RuntimeError("This worker class listens on TCP addresses only, without TLS.")

    def run(self) -> None:
        """Serve until a signal comes or gunicorn's main process is gone, then finish what was begun."""
        _allow_many_files()
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # warns whenever a request waits
        self._connections: dict[int, Any] = {}
        self._threads = ThreadedTaskDispatcher()
        self._threads.set_thread_count(self.cfg.threads)
        self._listeners = [self._listen(each) for each in self.sockets]
        while self.alive and self.ppid == os.getppid():
            self._tick()
        self._finish()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop; a signal handler."""
        super().handle_exit(sig, frame)
        for listener in getattr(self, "_listeners", ()):
            listener.pull_trigger()

    def _listen(self, listening: Any) -> Listener:
        options = adjustments(self.cfg.worker_connections, self.cfg.backlog)
        return Listener.on(
            listening.sock, self.wsgi, self._connections, self._threads, options, self.cfg.keepalive
        )

    def _tick(self) -> None:
        self.notify()
        poll(self._connections, _TICK)

    def _finish(self) -> None:
        for listener in self._listeners:
            listener.stop()
        end = time.monotonic() + self.cfg.graceful_timeout - _TICK
        while any(each.active_channels for each in self._listeners) and time.monotonic() < end:
            self._tick()
            for listener in self._listeners:
                listener.maintenance(0)
        self._threads.shutdown(timeout=_TICK)


def _allow_many_files() -> None:
    """Raise the limit of open files, which is often near the limit of connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
