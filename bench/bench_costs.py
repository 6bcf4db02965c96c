"""Texts that are meant to be expensive: what needs far more than four times as long for four times the text?

bin/bench costs [SECONDS] [SEED]
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from typing import Final

from bench.cost_readers import READERS, Reader
from bench.cost_texts import Shape, shapes, single_shapes
from bench.stage import table

STEP: Final = 4
"""How much longer the next text is."""
MOST_GROWTH: Final = 8.0
"""How much more time it may take: linear is 4, quadratic 16."""
MOST_GROWTH_OF_HALF: Final = 2.5
"""How much more time it may take than half of the text: linear is 2, quadratic 4."""
MOST_SECONDS: Final = 10.0
"""CPU seconds for the longest text, whatever the growth."""
_LEAST_SECONDS: Final = 0.03  # below, the growth is that of the clock's error
_SHORTEST: Final = 64
_TRIES: Final = 3


@dataclass(frozen=True)
class Finding:
    """A text that took too long: ``seconds`` of CPU for ``length`` characters, ``growth`` times the last."""

    reader: str
    shape: Shape
    length: int
    seconds: float
    growth: float


def finding_of(reader: Reader, shape: Shape, most: int | None = None) -> Finding | None:
    """Return what is wrong with the time that a reader takes for the texts of a shape; None if nothing is.

    The texts get longer up to ``most`` characters, or to what the reader may get. One leap is no growth: a
    reader may take another way from some length on, or where a text ends inside a tag. So the time also
    counts beside that of two texts before, and of half the text.
    """
    lengths = _lengths(reader.most if most is None else min(most, reader.most))
    earlier, before = 0.0, seconds_of(reader, shape, next(lengths))
    for length in lengths:
        seconds = seconds_of(reader, shape, length)
        if seconds < MOST_SECONDS and _is_much(seconds, before):
            before = min(before, *(seconds_of(reader, shape, length // STEP) for _ in range(_TRIES)))
            seconds = min(seconds, *(seconds_of(reader, shape, length) for _ in range(_TRIES)))
        if _is_much(seconds, before) and (
            seconds > MOST_SECONDS
            or (
                seconds > MOST_GROWTH * STEP * earlier
                and seconds > MOST_GROWTH_OF_HALF * seconds_of(reader, shape, length // 2)
            )
        ):
            return Finding(reader.name, shape, length, seconds, seconds / before)
        earlier, before = before, seconds
    return None


def seconds_of(reader: Reader, shape: Shape, length: int) -> float:
    """Return the CPU seconds of this thread for one text."""
    text = shape.text(length)
    gc.disable()  # the collector's own time grows by leaps
    began = time.thread_time()
    try:
        reader.read(text)
        return time.thread_time() - began
    finally:
        gc.enable()


def _is_much(seconds: float, before: float) -> bool:
    grown = seconds > _LEAST_SECONDS and seconds > MOST_GROWTH * before
    return grown or seconds > MOST_SECONDS


def _lengths(most: int) -> Iterator[int]:
    length = most
    while length // STEP >= _SHORTEST:
        length //= STEP
    while length <= most:
        yield length
        length *= STEP


def main(seconds: float, seed: int) -> int:
    """Try shapes for this long and print what was found. Returns the exit status."""
    findings: list[Finding] = []
    until, tried = time.monotonic() + seconds, 0
    for shape in chain(single_shapes(), shapes(seed)):
        for reader in READERS:
            if time.monotonic() > until:
                return _report(findings, tried)
            tried += 1
            found = finding_of(reader, shape) and _found_again(reader, shape)
            if found is not None:
                findings.append(found)
                print(found, flush=True)
    return 0


def _found_again(reader: Reader, shape: Shape) -> Finding | None:
    """Return the finding of a new process: memory that is in pieces after an hour is slower, too."""
    with ProcessPoolExecutor(1, get_context("spawn")) as processes:
        return processes.submit(_finding_of_named, reader.name, shape).result()


def _finding_of_named(name: str, shape: Shape) -> Finding | None:
    [reader] = [each for each in READERS if each.name == name]
    return finding_of(reader, shape)


def _report(findings: list[Finding], tried: int) -> int:
    rows = [[found.reader, repr(found.shape), found.length, f"{found.seconds:.2f}", f"{found.growth:.1f}"]
            for found in findings]  # fmt: skip
    print(f"{tried} pairs of a reader and a shape, {len(findings)} findings")
    if rows:
        print(table(["reader", "shape", "characters", "CPU s", "times the last"], rows))
    return 1 if findings else 0


if __name__ == "__main__":
    numbers = [float(word) for word in sys.argv[1:]]
    sys.exit(main(numbers[0] if numbers else 600, int(numbers[1]) if len(numbers) > 1 else 1))
