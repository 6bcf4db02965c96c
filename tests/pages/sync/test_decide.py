"""What a sync may conclude from what it read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.sync.decide import MASS_REMOVAL_FROM, Reading, decide

counts = st.integers(0, 100)


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    known = draw(counts)
    return Reading(draw(st.booleans()), draw(counts), known, draw(st.integers(0, known)))


def whole(found: int, known: int, missing: int) -> Reading:
    return Reading(lists_everything=True, found=found, known=known, missing=missing)


def part(found: int, known: int, missing: int) -> Reading:
    return Reading(lists_everything=False, found=found, known=known, missing=missing)


def test_missing_pages_turn_stale_when_everything_was_read() -> None:
    decision = decide(whole(9, 10, 1), 0)
    assert (decision.state, decision.marks_stale, decision.reason) == ("ok", "all", "")


@given(readings(), st.data())
def test_an_incomplete_reading_never_marks_pages_stale(reading: Reading, data: st.DataObject) -> None:
    decision = decide(reading, data.draw(st.integers(0, reading.missing)))
    if not reading.lists_everything:
        assert (decision.state, decision.marks_stale) == ("partial", "none")
        assert decision.reason


@given(readings())
def test_only_small_removals_take_effect_at_once(reading: Reading) -> None:
    decision = decide(reading, 0)
    if decision.marks_stale == "all" and reading.missing:
        assert reading.found > 0
        assert reading.known < MASS_REMOVAL_FROM or reading.missing * 2 <= reading.known


@pytest.mark.parametrize(
    ("known", "missing", "state"),
    [
        (20, 10, "ok"),
        (20, 11, "quarantined"),
        (21, 11, "quarantined"),
        (19, 19, "ok"),
        (19, 10, "ok"),
        (100, 51, "quarantined"),
    ],
)
def test_more_than_half_of_at_least_twenty_pages_is_a_mass_removal(
    known: int, missing: int, state: str
) -> None:
    assert decide(whole(5, known, missing), 0).state == state


def test_an_empty_sitemap_is_a_mass_removal_however_few_pages_there_were() -> None:
    assert decide(whole(0, 1, 1), 0).state == "quarantined"


def test_a_first_empty_sitemap_is_quarantined_until_the_next_sync_confirms_it() -> None:
    empty = whole(0, 0, 0)
    assert decide(empty, 0).state == "quarantined"
    assert "lists no page" in decide(empty, 0).reason
    assert decide(replace(empty, was_empty=True), 0).state == "ok"
    assert decide(whole(0, 30, 30), 30).state == "ok"


def test_the_reason_of_a_quarantine_names_the_number_of_missing_pages_and_when_they_turn_stale() -> None:
    decision = decide(whole(5, 30, 25), 0)
    assert decision.marks_stale == "confirmed"
    assert "25 of 30" in decision.reason
    assert "ten minutes later" in decision.reason


def test_quarantined_removals_take_effect_when_the_next_sync_confirms_them() -> None:
    assert decide(whole(5, 30, 25), 25) == decide(whole(29, 30, 1), 0)
    assert decide(whole(0, 30, 30), 30).marks_stale == "all"


@given(
    readings().filter(lambda reading: reading.lists_everything and (reading.found or reading.known)),
    st.data(),
)
def test_confirmed_pages_turn_stale_and_the_others_are_judged_without_them(
    reading: Reading, data: st.DataObject
) -> None:
    before = data.draw(st.integers(0, reading.missing))
    rest = replace(reading, known=reading.known - before, missing=reading.missing - before)
    decision = decide(reading, before)
    assert decision.marks_stale in ("all", "confirmed")
    if decide(replace(rest, was_empty=True), 0).state == "quarantined":
        assert decision.state == "quarantined"
    elif decision.state == "quarantined":
        assert rest.known < MASS_REMOVAL_FROM <= reading.known


@given(readings().filter(lambda reading: reading.lists_everything and reading.missing), st.data())
def test_pages_whose_quarantine_is_young_stay_in_it(reading: Reading, data: st.DataObject) -> None:
    waiting = data.draw(st.integers(1, reading.missing))
    again = data.draw(st.integers(0, reading.missing - waiting))
    decision = decide(reading, again, waiting)
    assert (decision.state, decision.marks_stale) == ("quarantined", "confirmed")


def test_a_partial_reading_confirms_nothing() -> None:
    assert decide(part(5, 30, 25), 25).marks_stale == "none"
