"""bin/test: style, types, import rules and tests, each with its time. pytest's summary is printed last.

The tests run in rounds: first on all cores; then those that start the service's own processes or a browser,
one on each core; then one by one those that measure times. Long tests that rarely find more run only with
``--thorough``; without it the second round, of the tests marked ``smoke``, is the last. With arguments for
pytest there is one single round.

Missing programs are installed as root on Debian. Otherwise the tests that need them are skipped and listed,
which is a failure when CI=true.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from devtools import chromium, debian, documentation, postgres, prometheus, wordpress
from devtools.local import ROOT

BIN = Path(sys.executable).parent
_ALONE = "chaos or timed"
_PROCESSES = "journey or browser"
_ON_EACH_CORE = ["-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"]
TOGETHER = [*_ON_EACH_CORE, "-m", f"not ({_ALONE} or {_PROCESSES})"]
BESIDE = [*_ON_EACH_CORE, "-m", f"({_PROCESSES}) and not ({_ALONE})"]
ALONE = ["-m", _ALONE]
SMOKE = [*_ON_EACH_CORE, "-m", "smoke"]
QUICK = "--quick"
_SMOKE = b"pytest.mark.smoke"
THOROUGH = "--thorough"
CHECKS = {
    "style": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy", "--strict", "--num-workers", "auto"],
    "imports": ["lint-imports"],
}
Needs = Mapping[str, tuple[Callable[[], object], tuple[str, ...]]]
NEEDS: Needs = {
    "browser": (chromium.find_chromium, chromium.PACKAGES),
    "postgresql": (postgres.find_binaries, postgres.PACKAGES),
    "documentation": (documentation.find_documentation, documentation.PACKAGES),
}
THOROUGH_NEEDS: Needs = {
    "prometheus": (prometheus.find_prometheus, prometheus.PACKAGES),
    "wordpress": (wordpress.find_php, wordpress.PACKAGES),
}


def main(arguments: list[str]) -> int:
    """Run every check, then pytest with ``arguments``. Returns the exit status."""
    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else every process of the tests compiles all modules
    if not have_needs({**NEEDS, **THOROUGH_NEEDS} if arguments == [THOROUGH] else NEEDS):
        return 1
    failed = [name for name, words in CHECKS.items() if not passes(name, words)]
    if failed:
        print(f"\nFailed: {', '.join(failed)}. The tests were not run.", flush=True)
        return 1
    sys.stdout.flush()
    return max(
        subprocess.run([str(BIN / "pytest"), *words], check=False).returncode for words in rounds(arguments)
    )


def rounds(arguments: list[str]) -> list[list[str]]:
    """Return the arguments of each run of pytest."""
    if arguments == [THOROUGH]:
        return [TOGETHER, BESIDE, ALONE]
    return [arguments] if arguments else [[*TOGETHER, QUICK], [*SMOKE, QUICK, *smoke_files()]]


def smoke_files() -> list[str]:
    """Return the files with tests marked ``smoke``: to collect all others takes longer than these tests."""
    found = (file for file in (ROOT / "tests").rglob("test_*.py") if _SMOKE in file.read_bytes())
    return sorted(str(file.relative_to(ROOT)) for file in found)


def have_needs(needs: Needs) -> bool:
    """Install missing programs. Returns False if tests are skipped that CI=true requires."""
    complete = True
    for marker, (found, packages) in needs.items():
        if found() or (debian.can_install() and debian.install(*packages) and found()):
            continue
        complete = False
        print(
            f"SKIPPED: tests marked '{marker}'. They need {packages[0]}, which is not installed; "
            f"only root can (apt-get install {' '.join(packages)}).",
            flush=True,
        )
    if not complete and os.environ.get("CI") == "true":
        print("\nFailed: with CI=true no test may be skipped.", flush=True)
        return False
    return True


def passes(name: str, words: list[str]) -> bool:
    """Run one check and show its output if it fails."""
    started = time.monotonic()
    result = subprocess.run([str(BIN / words[0]), *words[1:]], capture_output=True, text=True, check=False)
    passed = result.returncode == 0
    print(f"{name:<13} {'ok' if passed else 'FAILED':<7}{time.monotonic() - started:6.1f} s", flush=True)
    if not passed:
        print(result.stdout + result.stderr, flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
