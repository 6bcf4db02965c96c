"""The state directory var/: secrets that stay, and a socket path that fits."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from devtools import local


def test_secrets_stay_when_the_project_is_moved(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    before = local.write_defaults(tmp_path / "old")
    (tmp_path / "old").rename(tmp_path / "new")
    after = local.write_defaults(tmp_path / "new")
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"DATABASE_URL", "REDIS_URL"}


def test_a_socket_path_that_is_too_long_moves_to_a_short_directory(tmp_path: Path) -> None:
    state = tmp_path / ("long" * 30) / "var"
    path = local.socket_path(state)
    assert len(os.fsencode(path)) <= 107
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path == local.socket_path(state)
    path.parent.rmdir()


def test_a_directory_of_another_user_is_not_used_for_the_socket(tmp_path: Path) -> None:
    state = tmp_path / ("long" * 30) / "var"
    folder = local.socket_path(state).parent
    folder.chmod(0o777)
    with pytest.raises(local.UnusableDirectory):
        local.socket_path(state)
    folder.rmdir()


FULL = """\
import resource, sys
from pathlib import Path
from devtools import dev
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # each write fails, as on a full disk
dev.local.ROOT = Path(sys.argv[1])
sys.exit(dev.main())
"""


def test_a_full_disk_is_reported_in_one_line(tmp_path: Path) -> None:
    words = [sys.executable, "-c", FULL, str(tmp_path)]
    result = subprocess.run(words, cwd=local.ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"\n{tmp_path / 'var'} cannot be written: File too large.\n"


def test_a_folder_that_is_read_only_is_reported_in_one_line() -> None:
    with pytest.raises(local.UnusableDirectory, match=r"^/proc/var cannot be written: [\w ]+\.$"):
        local.write_defaults(Path("/proc"))
