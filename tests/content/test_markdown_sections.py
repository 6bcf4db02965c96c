"""The sections of a Markdown text."""

from __future__ import annotations

import pytest

from app.content.rendering.sections import sections_of, text_under

TEXT = """\
Before.

## A \\#1 hive

Wood.

### Its legs

Four.

```
## no heading
```

## Care ##

Daily.
"""


def test_sections_have_their_headings_as_readers_see_them() -> None:
    assert [(each.heading, each.level) for each in sections_of(TEXT)] == [
        ("A #1 hive", 2), ("Its legs", 3), ("Care", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("markdown", "heading"),
    [
        ("## Q&amp;A\n\nYes.", "Q&A"),
        ("  ## A *good* [hive](https://a.example/)\n\nYes.", "A good hive"),
        ("Its legs\n--------\n\nYes.", "Its legs"),
        ("Before.\r\n\r\n## Care\r\n\r\nYes.", "Care"),
    ],
)
def test_a_heading_is_read_as_it_is_shown(markdown: str, heading: str) -> None:
    assert [(each.heading, each.text.strip()) for each in sections_of(markdown)] == [(heading, "Yes.")]


@pytest.mark.parametrize("markdown", ["    ## Care", "> ## Care", "- ## Care"])
def test_code_and_quotes_begin_no_section(markdown: str) -> None:
    assert sections_of(markdown) == []


@pytest.mark.parametrize(
    ("heading", "has", "lacks"),
    [("A #1 hive", ("Wood.", "Four.", "## no heading"), "Daily."), ("Its legs", ("Four.",), "Wood.")],
)
def test_a_section_has_its_subsections(heading: str, has: tuple[str, ...], lacks: str) -> None:
    text = text_under(TEXT, heading) or ""
    assert all(each in text for each in has)
    assert lacks not in text


def test_a_heading_that_is_not_there_has_no_text() -> None:
    assert text_under(TEXT, "no heading") is None
