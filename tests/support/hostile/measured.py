"""Reads cases one after the other with ``flask sitemap inspect`` and prints the memory that each used.

    python -m tests.support.hostile.measured URL...

Prints one JSON object a URL: ``url``, how many URLs were ``found``, ``idle`` and ``peak`` in bytes of memory.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from app.factory import create_app


def main(urls: list[str]) -> None:
    runner = create_app().test_cli_runner()
    runner.invoke(args=["sitemap", "inspect", "http://10.0.0.1/"])  # what is needed once is loaded
    for url in urls:
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak, see proc(5)
        idle = _kilobytes("VmRSS")
        found = json.loads(runner.invoke(args=["sitemap", "inspect", url, "--json"]).stdout)
        peak = _kilobytes("VmHWM")
        result = {"url": url, "found": found["urls"], "idle": idle * 1024, "peak": peak * 1024}
        print(json.dumps(result), flush=True)


def _kilobytes(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


if __name__ == "__main__":
    main(sys.argv[1:])
