"""Runs the processes of the Procfile side by side until a signal stops them.

Each printed line begins with the process's name. A process that ends is started again after 1, 2, 4 ... 30
seconds. If one ends FAILURES times in a row within a minute of its start, all are stopped, with a message.
Ctrl-C or SIGTERM asks every process to end and waits GRACE seconds, about as long as the platforms do; a
second one does not wait.
"""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType

from devtools import tied

GRACE = 25.0
STEADY = 60.0
FAILURES = 5
LONGEST_PAUSE = 30.0
TICK = 0.2

Say = Callable[[str, str], None]


class Process:
    """One process of the Procfile, and how often it has ended too early."""

    def __init__(self, name: str, command: str, env: Mapping[str, str], cwd: Path, say: Say) -> None:
        self.name = name
        self.failures = 0
        self._command = command
        self._env = env
        self._cwd = cwd
        self._say = say
        self._run: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._due = 0.0
        self._reader: threading.Thread | None = None

    @property
    def running(self) -> bool:
        return self._run is not None and self._run.poll() is None

    def start(self) -> None:
        """Start the process. The command replaces the shell, so that signals reach it."""
        words = ["/bin/sh", "-c", f"exec {self._command}"]
        self._run = tied.start(
            words, output=subprocess.PIPE, env=self._env, cwd=self._cwd, at_our_death=signal.SIGTERM
        )
        self._started = time.monotonic()
        self._reader = threading.Thread(target=self._show_lines, args=(self._run,), daemon=True)
        self._reader.start()

    def wait(self) -> int:
        """Wait until it has ended and its last line is printed. Returns its exit status."""
        assert self._run is not None
        status = self._run.wait()
        self._join_reader()
        return status

    def keep_alive(self) -> None:
        """Start the process again if it has ended and its pause is over."""
        if self.running:
            return
        now = time.monotonic()
        if self._run is not None:
            self._note_end(now, self._run.returncode)
        if now >= self._due and self.failures < FAILURES:
            self.start()

    def ask_to_end(self) -> None:
        if self._run is not None and self.running:
            self._run.terminate()

    def end(self) -> None:
        """Kill the process and its children if they still run."""
        if self._run is not None:
            tied.kill_group(self._run)
            self.wait()

    def _note_end(self, now: float, status: int) -> None:
        self.failures = 1 if now - self._started >= STEADY else self.failures + 1
        pause = min(2.0 ** (self.failures - 1), LONGEST_PAUSE)
        self._due = now + pause
        self.end()
        self._run = None
        again = f"; starting again in {pause:.0f} s" if self.failures < FAILURES else ""
        self._say(self.name, f"ended ({describe(status)}){again}")

    def _join_reader(self) -> None:
        if self._reader is not None:
            self._reader.join(1)

    def _show_lines(self, run: subprocess.Popen[bytes]) -> None:
        assert run.stdout is not None
        with run.stdout as lines:
            for line in lines:
                self._say(self.name, line.decode(errors="replace").rstrip("\n"))


class Launcher:
    """Runs a set of processes and stops them on a signal."""

    def __init__(self, commands: Mapping[str, str], env: Mapping[str, str], cwd: Path, say: Say) -> None:
        self._say = say
        self._stops = 0
        self._processes = [Process(name, command, env, cwd, say) for name, command in commands.items()]

    def handle_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def run(self, each_tick: Callable[[], None]) -> int:
        """Run until a signal comes (returns 0) or until a process keeps ending (returns 1).

        ``each_tick`` is called several times a second. An exception in it stops everything.
        """
        try:
            while not self._stops:
                each_tick()
                for process in self._processes:
                    process.keep_alive()
                if hopeless := [p.name for p in self._processes if p.failures >= FAILURES]:
                    names = " and ".join(hopeless)
                    self._say("dev", f"{names} ended {FAILURES} times in a row; see the lines above.")
                    return 1
                time.sleep(TICK)
            return 0
        finally:
            self._stop()

    def _stop(self) -> None:
        self._say("dev", f"Stopping (up to {GRACE:.0f} s; Ctrl-C again to stop at once) ...")
        stops_at_start = max(self._stops, 1)
        deadline = time.monotonic() + GRACE
        for process in self._processes:
            process.ask_to_end()
        while any(process.running for process in self._processes):
            if time.monotonic() > deadline or self._stops > stops_at_start:
                break
            time.sleep(TICK / 4)
        for process in self._processes:
            if process.running:
                self._say(process.name, "did not end in time; killed")
            process.end()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._stops += 1  # takes no lock, because a second signal may interrupt this


def describe(status: int) -> str:
    """Return an exit status in words."""
    if status >= 0:
        return f"exit status {status}"
    return f"signal {signal.Signals(-status).name}"
