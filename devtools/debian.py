"""Installs Debian packages: as root, with apt-get."""

from __future__ import annotations

import os
import shutil
import subprocess


def can_install() -> bool:
    """Return whether this is root on a system with apt-get."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(*packages: str) -> bool:
    """Install the packages and show apt-get's errors. Returns whether it succeeded."""
    print(f"Installing {', '.join(packages)} (once, about a minute) ...", flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    update = ["apt-get", "update", "-qq"]
    # Slim images exclude documentation, which is what some tests need.
    whole = ["-o", "Dpkg::Options::=--path-include=/usr/share/doc/*"]
    command = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", *whole, *packages]
    for words in (update, command):
        status = subprocess.run(words, env=env, stdout=subprocess.DEVNULL, check=False).returncode
    return status == 0
