"""The hostile sitemaps of tests/support/hostile, read by us and by each peer: who loses, invents or hangs.

bin/bench corpus [WORD...]     # only the cases whose names have one of the words
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from bench.corpus_readers import READERS
from bench.stage import table
from devtools.local import ROOT
from tests.support.environment import service_environment
from tests.support.hostile.case import Case
from tests.support.hostile.corpus import CASES
from tests.support.hostile.server import HostileServer, serving

AT_ONCE = 2
OUTCOMES = ("right", "logged loss", "silent loss", "wrong URLs", "hang", "memory", "died")


def outcome(case: Case, server: HostileServer, result: dict) -> str:
    """Return the verdict on a reader's result for a case."""
    if result["end"] != "done":
        return str(result["end"])
    urls, expected = set(result["urls"]), {server.filled(case, url) for url in case.urls}
    if urls - expected:
        return "wrong URLs"
    if urls == expected and (result["reported"] or not case.verdict.loses_something):
        return "right"
    return "logged loss" if result["reported"] or result["logged"] else "silent loss"


def outcomes(reader: str, cases: Iterable[Case], server: HostileServer) -> list[str]:
    """What a reader made of each case."""
    starts = "".join(f"{server.start(case)}\n" for case in cases)
    result = subprocess.run(
        [sys.executable, "-m", "bench.corpus_readers", reader],
        input=starts, env=service_environment(FETCH_ALLOW=server.allow), cwd=ROOT,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True,
    )  # fmt: skip
    return [
        outcome(case, server, json.loads(line))
        for case, line in zip(cases, result.stdout.splitlines(), strict=True)
    ]


def main(words: list[str]) -> None:
    cases = [
        case for case in CASES if not case.ours and (not words or any(word in case.name for word in words))
    ]
    with serving(cases) as server, ThreadPoolExecutor(AT_ONCE) as pool:
        found = dict(
            zip(READERS, pool.map(lambda reader: outcomes(reader, cases, server), READERS), strict=True)
        )
    counts = {reader: Counter(column) for reader, column in found.items()}
    print(
        table(
            ["reader", *OUTCOMES],
            [[reader, *(counts[reader][name] for name in OUTCOMES)] for reader in READERS],
        )
    )
    print()
    rows = ([case.name, case.verdict, *each] for case, *each in zip(cases, *found.values(), strict=True))
    print(table(["case", "what it is", *READERS], rows))


if __name__ == "__main__":
    main(sys.argv[1:])
