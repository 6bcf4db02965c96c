"""Texts that are meant to be expensive, for everything that reads text from outside."""

from __future__ import annotations

from itertools import islice

import pytest

from bench.bench_costs import finding_of
from bench.cost_readers import READERS, Reader
from bench.cost_texts import Shape, shapes
from tests.support.quick import examples

WERE_EXPENSIVE = (
    Shape("", "# a\n"),
    Shape("", "<br>"),
    Shape("", "[a](b)"),
    Shape("", "<dl><dt>a<dd>b"),
    Shape("", "<div data-count=1>"),
    Shape("", "<div><meta>"),
    Shape("", "<div><style></style>"),
    Shape("", "<div><div class=related-posts>x</div>"),
    Shape("", "c a", is_numbered=True),
)
LONGEST = 16_384


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_four_times_the_text_takes_about_four_times_as_long(reader: Reader) -> None:
    for shape in (*WERE_EXPENSIVE, *islice(shapes(1), examples(4))):
        assert finding_of(reader, shape, LONGEST) is None


def test_text_between_deeply_nested_elements_takes_about_four_times_as_long() -> None:
    page = next(reader for reader in READERS if reader.name == "a page")
    assert finding_of(page, Shape("", "<entry><link href='/a'/>a"), 262_144) is None


def test_a_reader_that_compares_each_character_with_all_others_is_found() -> None:
    square = Reader("square", 2048, lambda text: sum(one == other for one in text for other in text))
    finding = finding_of(square, Shape("", "ab"))
    assert finding is not None
    assert finding.growth > 8
