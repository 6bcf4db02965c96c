"""Options and commands whose descriptions a manual indents below them."""

from __future__ import annotations

from collections.abc import Sequence

from app.pages.extraction.blocks import Block
from tests.support.html_pages import read

OPTIONS = """
<p><code>numprocs</code></p><blockquote><div><p>How many are started.</p><p>Default: 1</p></div></blockquote>
<p>add &lt;name&gt; […]</p><blockquote><div><p>Activates any updates.</p></div></blockquote>
<p>reread</p><blockquote><div><p>Reads the files anew.</p></div></blockquote>
"""


def pairs(found: Sequence[Block]) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in found]


def test_short_lines_with_indented_descriptions_are_terms() -> None:
    found = read(f"<h1>Commands</h1>{OPTIONS}<p>That is all of them.</p>")
    assert pairs(found) == [
        ("heading", "Commands"),
        ("dt", "numprocs"),
        ("dd", "How many are started."),
        ("dd", "Default: 1"),
        ("dt", "add <name> […]"),
        ("dd", "Activates any updates."),
        ("dt", "reread"),
        ("dd", "Reads the files anew."),
        ("p", "That is all of them."),
    ]
    groups = [block.group for block in found if block.group]
    assert groups == ["d1", "d1", "d1", "d2", "d2", "d3", "d3"]


def test_one_quotation_below_a_line_stays_a_quotation() -> None:
    said = "<p>From our guests</p><blockquote><p>We came back twice.</p></blockquote>"
    assert (
        pairs(read(f"<h1>Stay</h1>{said * 2}"))[1:]
        == [
            ("p", "From our guests"),
            ("quote", "We came back twice."),
        ]
        * 2
    )


def test_quotations_with_speakers_or_marks_stay_quotations() -> None:
    signed = "<p>Our guests</p><blockquote><p>We came twice.</p><footer>Ann Lee</footer></blockquote>"
    marked = "<p>In the paper</p><blockquote><p>“We came back twice.”</p></blockquote>"
    found = read(f"<h1>Stay</h1>{signed * 3}{marked * 3}")
    assert {block.kind for block in found} == {"heading", "p", "quote"}
