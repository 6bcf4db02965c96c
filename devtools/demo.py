"""bin/demo: runs the service on a sample site, up to a first draft.

    sample site on the loopback -> bin/dev unless it runs -> account, project -> sync -> pages read -> a post

Existing parts are reused, so a second run only adds what is missing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import FrameType

from sqlalchemy.exc import OperationalError, ProgrammingError

from app.config import DEMO_SITE, InvalidSettings, Settings, load_settings
from app.factory import create_app
from app.failures import ServiceFailure
from devtools import demo_site, local, tied
from devtools.demo_content import EMAIL, DemoFailed, Shown, prepare, until
from devtools.dev import environment, web_answers


def main() -> int:
    """Prepare the demo and keep running while something needs it. Returns the exit status."""
    try:
        return run(local.ROOT)
    except (DemoFailed, InvalidSettings, local.UnusableDirectory) as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    except ServiceFailure as refusal:
        print(f"\n{refusal.failure.message}", file=sys.stderr)
        return 1
    except (OperationalError, ProgrammingError) as error:
        print(
            f"\nThe service's database cannot be used ({type(error.orig).__name__}). If another program\n"
            "answers at the service's address, choose another port: PORT=8001 bin/demo",
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        return 130


def run(root: Path) -> int:
    """Start the site and the service if needed, prepare, print the addresses, and wait for Ctrl-C."""
    env = environment(root)
    settings = replace(load_settings(env), log_level="WARNING")
    port = int(env.get("DEMO_PORT", DEMO_SITE[1]))
    check(settings, port)
    # A shell starts background jobs with SIGINT ignored, but Ctrl-C has to end the demo there too.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    with ExitStack() as stack:
        ours = not demo_site.is_served(port)
        if ours:
            try:
                stack.enter_context(demo_site.served(port))
            except OSError as error:
                raise DemoFailed(f"Port {port} is in use by another program ({error.strerror}).") from error
        address = service_address(env)
        service = None if web_answers(address) else start_service(env, root, stack)
        say("Preparing the demo; this takes a few seconds ...")
        with create_app(settings).app_context():
            shown = prepare(f"http://127.0.0.1:{port}", password_of(settings), lambda: alive(service))
        print_addresses(f"http://{address}", f"http://127.0.0.1:{port}", shown, password_of(settings))
        if ours or service is not None:
            stay(service, ours)
    return 0


def check(settings: Settings, port: int) -> None:
    """Raise DemoFailed in production, or if the sample site may not be fetched."""
    if settings.production:
        raise DemoFailed("bin/demo is for development: APP_ENV is production here.")
    if ("127.0.0.1", port) not in settings.fetch_allow:
        raise DemoFailed(
            f"The service may not fetch the sample site. Add 127.0.0.1:{port} to FETCH_ALLOW in .env\n"
            "(or remove FETCH_ALLOW there), restart bin/dev and run bin/demo again."
        )


def service_address(env: Mapping[str, str]) -> str:
    host = "127.0.0.1" if env["BIND_ADDRESS"] == "0.0.0.0" else env["BIND_ADDRESS"]  # noqa: S104 - compared
    return f"{host}:{env['PORT']}"


def start_service(env: Mapping[str, str], root: Path, stack: ExitStack) -> subprocess.Popen[bytes]:
    """Start bin/dev with its output in var/demo.log and wait until it responds. Raises DemoFailed."""
    log = root / "var" / "demo.log"
    say(f"Starting the service; its output is in {log} ...")
    output = stack.enter_context(log.open("wb"))
    service = tied.start(
        [sys.executable, "-m", "devtools.dev"], output=output, env=env, cwd=root, at_our_death=signal.SIGTERM
    )
    stack.callback(tied.stop, service, grace=30)
    until(lambda: web_answers(service_address(env)), "the service responds", lambda: alive(service))
    return service


def alive(service: subprocess.Popen[bytes] | None) -> None:
    """Raise DemoFailed if the service that this process started has ended."""
    if service is not None and service.poll() is not None:
        raise DemoFailed("The service has ended; see var/demo.log.")


def password_of(settings: Settings) -> str:
    """Return the demo account's password. It derives from the secret key, so it is the same every time."""
    digest = hmac.digest(settings.secret_key.encode(), b"the password of bin/demo", hashlib.sha256)
    return base64.b32encode(digest)[:16].decode().lower()


def print_addresses(base: str, site: str, shown: Shown, password: str) -> None:
    """Print the addresses and the sign-in."""
    project = f"{base}/projects/{shown.project_id}"
    say(
        f"\n  The demo is ready:   {base}/sign-in\n"
        f"  E-mail:              {EMAIL}\n"
        f"  Password:            {password}\n\n"
        f"  Sample site:         {site}/\n"
        f"  Its project:         {project}\n"
        f"  Pages found:         {project}/pages ({shown.pages})\n"
        f"  First draft:         {project}/posts/{shown.post_id} ({shown.post_title})\n"
        f"  API reference:       {base}/api/docs\n"
    )


def stay(service: subprocess.Popen[bytes] | None, ours: bool) -> None:
    """Wait for Ctrl-C, or for the end of the started service; ``ours`` if this process serves the site."""
    try:
        if ours:
            say("  Publishing the draft shows it on the sample site while this runs. Stop: Ctrl-C\n")
        while True:
            alive(service)
            time.sleep(0.5)
    except KeyboardInterrupt:
        say("Stopping ...")


def say(text: str) -> None:
    print(text, flush=True)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
