"""bin/mutants: mutation tests of the modules that guard something.

mutmut changes these modules one place at a time and runs the tests that reach the place. A change that
no test notices has survived: a test is missing, or the change makes no difference (docs/testing.md).
The modules and their tests are listed in pyproject.toml under ``tool.mutmut``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from devtools.local import ROOT

MUTMUT = str(Path(sys.executable).parent / "mutmut")
KILLED_AT_LEAST = 0.9
CAUGHT = frozenset({"killed", "timeout", "caught by type check", "segfault"})


def main(arguments: list[str]) -> int:
    """Run mutmut, show the survivors, and return 1 when fewer than nine of ten mutants were killed."""
    os.chdir(ROOT)
    subprocess.run([MUTMUT, "run", *arguments], check=True)
    listed = subprocess.run([MUTMUT, "results", "--all", "true"], check=True, capture_output=True, text=True)
    results = parse_results(listed.stdout)
    for name in sorted(name for name, result in results.items() if result not in CAUGHT):
        print(f"\n{name}: {results[name]}")
        print(difference(name))
    print(summary(results))
    return 0 if share_killed(results) >= KILLED_AT_LEAST else 1


def parse_results(text: str) -> dict[str, str]:
    """Return the result of each mutant that was tried, by name, from the output of ``mutmut results``."""
    found = re.findall(r"^\s*([\w.ǁ]+__mutmut_\d+): (.+)$", text, re.MULTILINE)
    return {name: result for name, result in found if result != "not checked"}


def share_killed(results: dict[str, str]) -> float:
    """Return the share of mutants that a test noticed; 0.0 without any mutant."""
    return sum(result in CAUGHT for result in results.values()) / len(results) if results else 0.0


def summary(results: dict[str, str]) -> str:
    """Return one line for each module, and one for all."""
    made = Counter(module_of(name) for name in results)
    killed = Counter(module_of(name) for name, result in results.items() if result in CAUGHT)
    lines = [f"{module:<40} {killed[module]:>4} of {number:>4}" for module, number in sorted(made.items())]
    return "\n".join(
        [
            *lines,
            f"{'killed':<40} {sum(killed.values()):>4} of {len(results):>4} ({share_killed(results):.0%})",
        ]
    )


def module_of(mutant: str) -> str:
    """Return the module of a mutant: ``app.a.b.x_function__mutmut_1`` is of ``app.a.b``."""
    return mutant.rpartition(".")[0]


def difference(mutant: str) -> str:
    """Return the changed lines of a mutant."""
    shown = subprocess.run([MUTMUT, "show", mutant], check=False, capture_output=True, text=True).stdout
    return "\n".join(line for line in shown.splitlines() if re.match(r"[+-](?![+-])", line))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
