"""Creates .venv and updates it when the requirements files have changed.

Run by the system's Python before anything is installed, so it uses the standard library alone:
``python3 devtools/venv.py requirements.txt``.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
FILES = ("requirements.txt", "requirements-dev.txt")
PIP = [str(PYTHON), "-m", "pip", "install", "--quiet"]
PIP_ENVIRON = {**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
UV = "uv==0.13.9"
CHECK = "import sys, pip; sys.exit(sys.version_info < (3, 11))"


def main(requirements: str) -> None:
    """Install the packages of ``requirements``. Exits with a message if that fails."""
    with (ROOT / ".venv.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        make_venv()
        install(requirements)


def make_venv() -> None:
    """Create the virtual environment, again if its Python is missing or too old."""
    if PYTHON.exists() and succeeds([str(PYTHON), "-c", CHECK]):
        return
    say("Making .venv ...")
    if made():
        return
    if os.geteuid() == 0 and succeeds(["apt-get", "--version"]):
        say("Installing python3-venv, which Debian packages separately from python3 ...")
        subprocess.run(["apt-get", "update", "-q"], stdout=subprocess.DEVNULL, check=False)
        subprocess.run(["apt-get", "install", "-qy", "python3-venv"], stdout=subprocess.DEVNULL, check=False)
        if made():
            return
    fail(
        "Python cannot make a virtual environment here; its own words are above.\n"
        "On Debian: apt-get install python3-venv, then again."
    )


def made() -> bool:
    """Create the environment. Prints Python's output if that fails."""
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        say(result.stdout.strip())
    return result.returncode == 0


def install(requirements: str) -> None:
    """Install the packages of this and earlier files, unless their stamp shows that they are installed."""
    if installed(requirements):
        return
    say(f"Installing the packages of {requirements} (once, about half a minute) ...")
    if not installed_by_uv(requirements) and not installed_by_pip(requirements):
        fail(
            f"pip could not install the packages of {requirements}; its own words are above.\n"
            "Usual causes: no network, a proxy or package index that needs configuring (HTTPS_PROXY,\n"
            "PIP_INDEX_URL), a full disk. Nothing is lost: run the same command again."
        )
    for name in included(requirements):
        stamp(name).write_text(digest(name))


def installed_by_uv(requirements: str) -> bool:
    """Install the packages with uv, in a third of pip's time. Returns False where that fails."""
    if os.environ.get("PIP_NO_INDEX") or not succeeds([*PIP, UV], PIP_ENVIRON):
        return False
    index = os.environ.get("PIP_INDEX_URL")
    environ = {**os.environ, "UV_DEFAULT_INDEX": index} if index else os.environ
    uv = [str(VENV / "bin" / "uv"), "pip", "install", "--quiet", "--python", str(PYTHON)]
    return succeeds([*uv, "-r", str(ROOT / requirements)], environ)


def installed_by_pip(requirements: str) -> bool:
    """Install the packages with pip. Prints pip's output if that fails."""
    command = [*PIP, "-r", str(ROOT / requirements)]
    return subprocess.run(command, env=PIP_ENVIRON, check=False).returncode == 0


def installed(requirements: str) -> bool:
    """Return whether exactly these requirements are installed."""
    return stamp(requirements).exists() and stamp(requirements).read_text() == digest(requirements)


def stamp(requirements: str) -> Path:
    return VENV / f".installed-{requirements.replace('/', '-')}"


def digest(requirements: str) -> str:
    """Return the hash of the requirements files up to this one."""
    contents = ((ROOT / name).read_bytes() for name in included(requirements))
    return hashlib.sha256(b"\0".join(contents)).hexdigest()


def included(requirements: str) -> tuple[str, ...]:
    """Return the files whose packages these requirements install, itself last."""
    if requirements in FILES:
        return FILES[: FILES.index(requirements) + 1]
    return (*FILES, requirements)


def succeeds(command: list[str], environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether the command runs successfully."""
    try:
        return subprocess.run(command, env=environ, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def fail(text: str) -> None:
    say("\n" + text)
    sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1])
