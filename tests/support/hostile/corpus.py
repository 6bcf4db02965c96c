"""All the cases, in a fixed order, named group/case."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tests.support.hostile import addresses, containers, dates, documents, encodings, trees, wire
from tests.support.hostile.case import Case

GROUPS: Final = {
    "encodings": encodings.CASES,
    "containers": containers.CASES,
    "xml": documents.CASES,
    "trees": trees.CASES,
    "urls": addresses.CASES,
    "lastmod": dates.CASES,
    "wire": wire.CASES,
}

CASES: Final[list[Case]] = [
    replace(case, name=f"{group}/{case.name}") for group, cases in GROUPS.items() for case in cases
]
