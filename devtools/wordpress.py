"""The WordPress of the thorough tests: Debian's package, with the PHP and MariaDB that it needs."""

from __future__ import annotations

import shutil
from pathlib import Path

FILES = Path("/usr/share/wordpress")
PACKAGES = ("wordpress", "php-cli", "php-mysql", "php-xml", "php-mbstring", "php-gd", "mariadb-server")


def find_php() -> str | None:
    """Return the path of PHP if WordPress and MariaDB are installed, too; else None."""
    programs = [shutil.which(name) for name in ("php", "mariadbd", "mariadb", "mariadb-install-db")]
    return programs[0] if FILES.is_dir() and all(programs) else None
