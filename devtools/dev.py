"""bin/dev: the whole service on this machine, from nothing to a sign-up page.

    var/defaults.env -> settings -> Redis -> release (migrations) -> web, worker, scheduler -> address

PORT, BIND_ADDRESS, DATABASE_URL, REDIS_URL and every other setting may come from the environment or .env.
"""

from __future__ import annotations

import http.client
import os
import socket
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import unquote

from app.config import InvalidSettings, load_settings
from devtools import local
from devtools.embedded_redis import RedisUnavailable, SharedRedis
from devtools.launcher import Launcher, Process
from devtools.procfile import read_procfile

WIDTH = 9


class CannotStart(Exception):
    """Raised with a message for the developer."""


def main() -> int:
    """Run the service until Ctrl-C. Returns the exit status."""
    try:
        return run(local.ROOT)
    except (CannotStart, InvalidSettings, RedisUnavailable, local.UnusableDirectory) as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def run(root: Path) -> int:
    """Start everything in order and run until a signal stops it. Redis ends last."""
    env = environment(root)
    load_settings(env)
    check_port(env["BIND_ADDRESS"], env["PORT"])
    commands = read_procfile(root / "Procfile")
    release = commands.pop("release", None)
    with ExitStack() as stack:
        redis = embedded_redis(env, root)
        if redis is not None:
            stack.callback(redis.stop)
            redis.ensure()
        if release is not None:
            run_release(release, env, root)
        launcher = Launcher(commands, env, root, say)
        launcher.handle_signals()
        threading.Thread(target=announce, args=(env,), daemon=True).start()
        return launcher.run(each_tick=(lambda: restart_redis(redis)) if redis is not None else (lambda: None))


def environment(root: Path) -> dict[str, str]:
    """Return the processes' environment: the settings, and the virtual environment's programs in PATH."""
    env = local.layered(local.write_defaults(root), root)
    env.setdefault("PORT", "8000")
    env.setdefault("BIND_ADDRESS", "127.0.0.1")
    env["PYTHONUNBUFFERED"] = "1"
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env.get('PATH', os.defpath)}"
    return env


def embedded_redis(env: Mapping[str, str], root: Path) -> SharedRedis | None:
    """Return the Redis of var/, None if REDIS_URL names another one."""
    if env["REDIS_URL"] != local.places(root / "var")["REDIS_URL"]:
        return None
    with local.writing_to(root / "var"):
        return SharedRedis(Path(unquote(env["REDIS_URL"].removeprefix("unix://"))), root / "var")


def restart_redis(redis: SharedRedis) -> None:
    """Start Redis again if it has ended."""
    if redis.ensure():
        say("redis", "had ended; started again")


def check_port(address: str, port: str) -> None:
    """Raise CannotStart unless the web process can listen there."""
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise CannotStart(f"PORT={port} is not a port number.")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address.strip("[]"), int(port)))
        except OSError as error:
            raise CannotStart(
                f"Port {port} of {address} cannot be used ({error.strerror}). Is bin/dev running already?\n"
                "Choose another port: PORT=8001 bin/dev"
            ) from error


def run_release(command: str, env: Mapping[str, str], root: Path) -> None:
    """Migrate the database. Raises CannotStart."""
    release = Process("release", command, env, root, say)
    release.start()
    if status := release.wait():
        raise CannotStart(f"The database could not be prepared ({command}: exit status {status}); see above.")


def announce(env: Mapping[str, str]) -> None:
    """Print the service's address and the next steps as soon as it responds."""
    host = "127.0.0.1" if env["BIND_ADDRESS"] == "0.0.0.0" else env["BIND_ADDRESS"]  # noqa: S104 - compared
    place = f"{host}:{env['PORT']}"
    while not web_answers(place):
        time.sleep(0.1)
    address = f"http://{place}"
    print(
        f"\n  The service is running:  {address}\n"
        f"  First time:              create your account at {address}/sign-up\n"
        f"  Afterwards:              sign in at {address}/sign-in\n"
        "  Next step:               add a project and generate its first post\n"
        "  Stop:                    Ctrl-C\n",
        flush=True,
    )


def web_answers(place: str) -> bool:
    """Return whether the web process at "host:port" responds at all."""
    connection = http.client.HTTPConnection(place, timeout=5)
    try:
        connection.request("GET", "/sign-in")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def say(name: str, line: str) -> None:
    """Print one line of a process."""
    print(f"{name:<{WIDTH}} | {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
