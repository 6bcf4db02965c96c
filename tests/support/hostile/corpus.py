"""All the cases, in a fixed order, named room/case."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tests.support.hostile import addresses, containers, dates, documents, encodings, trees, wire
from tests.support.hostile.case import Case

ROOMS: Final = {
    "encodings": encodings.CASES,
    "containers": containers.CASES,
    "xml": documents.CASES,
    "trees": trees.CASES,
    "urls": addresses.CASES,
    "lastmod": dates.CASES,
    "wire": wire.CASES,
}

CASES: Final[list[Case]] = [
    replace(case, name=f"{room}/{case.name}") for room, cases in ROOMS.items() for case in cases
]
