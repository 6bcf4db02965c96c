"""One call of a publish job is spoiled: one post is live there and live here, or none, with its failure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from flask import Flask

from app.publishing import service
from tests.support.fault_cells import STEPS, cell_at
from tests.support.gateway import FAULTS
from tests.support.publishing import alice_project
from tests.support.target_places import Place, look_alikes

pytestmark = pytest.mark.usefixtures("no_waiting")

WRITES: Final = [
    *((kind, step) for kind in ("wordpress", "ghost") for step in STEPS),
    *(("webhook", step) for step in ("create", "update", "unpublish")),
]
QUICK: Final = ("answer dropped after the write",)
EACH: Final = [each if each in QUICK else pytest.param(each, marks=pytest.mark.thorough) for each in FAULTS]
"""The faults, most of them in the thorough run only."""


@pytest.fixture(scope="module")
def places() -> Iterator[dict[str, Place]]:
    with look_alikes() as found:
        yield {place.kind: place for place in found}


@pytest.fixture
def settings_overrides(places: dict[str, Place]) -> dict[str, str]:
    return {"FETCH_ALLOW": ",".join(place.gateway.address for place in places.values())}


@pytest.mark.parametrize("fault", EACH)
@pytest.mark.parametrize(("kind", "step"), WRITES)
def test_a_spoiled_call_leaves_no_contradiction_and_trying_again_ends_well(
    db_app: Flask, places: dict[str, Place], kind: str, step: str, fault: str
) -> None:
    place = places[kind]
    project = alice_project()
    service.add_target(project, kind, "Blog", place.settings, place.secret)
    cell = cell_at(place, project.id, step, fault)
    cell.run(1)
    assert (cell.wrong, cell.left, cell.ends) == ([], 0, {"well": 1})
