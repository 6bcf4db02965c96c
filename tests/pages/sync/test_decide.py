"""What a sync may conclude from what it read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.sync.decide import SUDDEN_LOSS_OF, Reading, decide

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
def test_a_reading_that_is_not_whole_never_marks_anything_stale(
    reading: Reading, data: st.DataObject
) -> None:
    decision = decide(reading, data.draw(st.integers(0, reading.missing)))
    if not reading.lists_everything:
        assert (decision.state, decision.marks_stale) == ("partial", "none")
        assert decision.reason


@given(readings())
def test_only_a_reading_that_loses_nothing_or_little_counts_at_once(reading: Reading) -> None:
    decision = decide(reading, 0)
    if decision.marks_stale == "all" and reading.missing:
        assert reading.found > 0
        assert reading.known < SUDDEN_LOSS_OF or reading.missing * 2 <= reading.known


@pytest.mark.parametrize(
    ("known", "missing", "state"),
    [(20, 10, "ok"), (20, 11, "held"), (21, 11, "held"), (19, 19, "ok"), (19, 10, "ok"), (100, 51, "held")],
)
def test_more_than_half_of_at_least_twenty_pages_is_a_sudden_loss(
    known: int, missing: int, state: str
) -> None:
    assert decide(whole(5, known, missing), 0).state == state


def test_an_empty_sitemap_is_a_sudden_loss_of_however_few_pages() -> None:
    assert decide(whole(0, 1, 1), 0).state == "held"


def test_a_first_empty_sitemap_is_held_until_the_next_sync_says_the_same() -> None:
    empty = whole(0, 0, 0)
    assert decide(empty, 0).state == "held"
    assert "lists no page" in decide(empty, 0).reason
    assert decide(replace(empty, said_empty=True), 0).state == "ok"
    assert decide(whole(0, 30, 30), 30).state == "ok"


def test_a_held_loss_says_how_much_is_missing_and_when_it_counts() -> None:
    decision = decide(whole(5, 30, 25), 0)
    assert decision.marks_stale == "said_before"
    assert "25 of 30" in decision.reason
    assert "next complete sync" in decision.reason


def test_a_held_loss_counts_when_the_next_sync_says_the_same() -> None:
    assert decide(whole(5, 30, 25), 25) == decide(whole(29, 30, 1), 0)
    assert decide(whole(0, 30, 30), 30).marks_stale == "all"


@given(
    readings().filter(lambda reading: reading.lists_everything and (reading.found or reading.known)),
    st.data(),
)
def test_what_was_said_before_turns_stale_and_the_rest_is_judged_without_it(
    reading: Reading, data: st.DataObject
) -> None:
    before = data.draw(st.integers(0, reading.missing))
    rest = replace(reading, known=reading.known - before, missing=reading.missing - before)
    decision = decide(reading, before)
    assert decision.marks_stale in ("all", "said_before")
    if decide(replace(rest, said_empty=True), 0).state == "held":
        assert decision.state == "held"
    elif decision.state == "held":
        assert rest.known < SUDDEN_LOSS_OF <= reading.known


def test_a_partial_reading_confirms_nothing() -> None:
    assert decide(part(5, 30, 25), 25).marks_stale == "none"
