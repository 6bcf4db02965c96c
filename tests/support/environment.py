"""The environment of the service under test."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dotenv import dotenv_values

from devtools.local import ROOT

DEFAULTS = {
    "APP_ENV": "test",
    "DATABASE_URL": "sqlite://",
    "REDIS_URL": "unix:///nowhere.sock",
    "SECRET_KEY": "the secret key of the tests, long enough",
    "API_KEY_PEPPER": "the pepper of the tests, long enough too",
    "ENCRYPTION_KEY": "dGhlIGVuY3J5cHRpb24ga2V5IG9mIHRoZSB0ZXN0cyE=",
    "LEASE_SECONDS": "6",
    "HEARTBEAT_SECONDS": "1",
}


def settings_environment(**overrides: str) -> dict[str, str]:
    """The settings of the tests, to be read by ``load_settings``."""
    return {**DEFAULTS, **overrides}


def service_environment(**overrides: str) -> dict[str, str]:
    """The same for a process of its own, which also needs to find its programs.

    What the developer's own files set is blanked, which is to say not set.
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    blank = {name: "" for file in (".env", "var/defaults.env") for name in dotenv_values(ROOT / file)}
    return {**blank, "PATH": path, "PYTHONUNBUFFERED": "1", "LANG": "C.UTF-8", **DEFAULTS, **overrides}
