"""The WordPress of the thorough tests: Debian's package, with the PHP and MariaDB that it needs."""

from __future__ import annotations

import shutil
from pathlib import Path

FILES = Path("/usr/share/wordpress")
THEME = "twentytwentythree"
"""Without a theme, WordPress sends empty pages."""
PACKAGES = (
    "wordpress", f"wordpress-theme-{THEME}", "php-cli", "php-mysql", "php-xml", "php-mbstring", "php-gd",
    "mariadb-server",
)  # fmt: skip


def find_php() -> str | None:
    """Return the path of PHP if WordPress and MariaDB are installed, too; else None."""
    programs = [shutil.which(name) for name in ("php", "mariadbd", "mariadb", "mariadb-install-db")]
    return programs[0] if (FILES / "wp-content/themes" / THEME).is_dir() and all(programs) else None
