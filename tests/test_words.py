"""Private words that docs/glossary.md replaced do not come back."""

from __future__ import annotations

import re
import subprocess

import pytest

from devtools.local import ROOT

PRIVATE = re.compile(
    r"\b(doorbell|rung|ring_next|open_hold|held loss|Harvest|Shelf|Sheaf|Spool|heed|unheard|Wish|wished"
    r"|fulfil|take_patiently|outwait\w*|rehearse|_told|told_\w+|surely|is_counted|floor law|house test"
    r"|resting sites?)\b"
)
"""Each of them has one meaning only. Ordinary words with a private meaning, such as "held", are not found."""

PLACES = ("app", "docs", "README.md", "CHANGELOG.md", "devtools", "bench", "bin", "migrations/versions/0023*")


def lines_of(place: str) -> list[str]:
    command = ["git", "grep", "-nI", "", "--", place, ":!docs/samples", ":!app/language/data"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.parametrize("place", PLACES)
def test_code_and_documents_use_the_terms_of_the_glossary(place: str) -> None:
    assert [line for line in lines_of(place) if PRIVATE.search(line)] == []


def test_the_names_of_tests_use_the_terms_of_the_glossary() -> None:
    names = [line for line in lines_of("tests") if re.search(r":\s*(async )?def test_", line)]
    assert len(names) > 1000
    assert [name for name in names if PRIVATE.search(name.replace("_", " "))] == []
