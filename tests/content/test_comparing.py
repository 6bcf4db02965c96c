"""Two texts beside each other."""

from __future__ import annotations

from app.content.posts.comparing import Comparison, Piece, Row, compare_line, compare_markdown

OLD = """\
A beehive holds 10 frames in each box. It stands best in the sun.

## Where to put it

- Dry ground
- A short path

The last words stay as they are.
"""


def rows(comparison: Comparison) -> list[Row]:
    return [row for run in comparison.runs for row in run]


def kinds(old: str, new: str) -> list[str]:
    return [row.kind for row in rows(compare_markdown(old, new))]


def marked(pieces: tuple[Piece, ...]) -> list[str]:
    return [piece.text for piece in pieces if piece.marked]


def test_equal_texts_are_one_run_that_stays() -> None:
    found = compare_markdown(OLD, OLD)
    assert len(found.runs) == 1
    assert found.same_words
    assert found.count("same") == 5


def test_a_picture_that_came_or_went_is_a_difference() -> None:
    with_picture = OLD.replace("## Where", "![A hive](image:1)\n\n## Where")
    (added,) = [row for row in rows(compare_markdown(OLD, with_picture)) if row.kind != "same"]
    assert (added.old, added.new and added.new.pieces[0].text) == (None, "[Picture: A hive]")
    assert kinds(with_picture, OLD).count("removed") == 1
    assert "[Picture: image:1]" in str(compare_markdown(OLD, "![](image:1)"))


def test_a_changed_word_is_marked_in_its_paragraph() -> None:
    found = compare_markdown(OLD, OLD.replace("10 frames", "11 frames"))
    changed = [row for row in rows(found) if row.kind == "changed"]
    assert len(changed) == 1
    old, new = changed[0].old, changed[0].new
    assert old is not None
    assert new is not None
    assert (marked(old.pieces), marked(new.pieces)) == (["10"], ["11"])
    assert "".join(piece.text for piece in old.pieces).startswith("A beehive holds 10 frames")
    assert [len(run) for run in found.runs] == [1, 4]


def test_a_new_paragraph_and_a_removed_one_have_a_row_each() -> None:
    without = OLD.replace("- A short path\n", "")
    assert kinds(OLD, without) == ["same", "same", "same", "removed", "same"]
    assert kinds(without, OLD) == ["same", "same", "same", "added", "same"]


def test_paragraphs_that_share_little_stand_side_by_side_and_count_as_one_gone_and_one_new() -> None:
    new = OLD.replace("The last words stay as they are.", "Honey is harvested in July by everybody here.")
    found = compare_markdown(OLD, new)
    last = rows(found)[-1]
    assert last.kind == "replaced"
    assert last.old is not None
    assert last.new is not None
    assert (marked(last.old.pieces), marked(last.new.pieces)) == ([], [])
    assert (found.count("removed"), found.count("added"), found.count("changed")) == (1, 1, 0)


def test_a_heading_is_never_compared_with_a_paragraph() -> None:
    assert kinds("## One and two", "One and two") == ["replaced"]


def test_formatting_and_link_targets_are_not_words() -> None:
    found = compare_markdown(
        "See [the shop](https://a.example) *now*.", "See [the shop](https://b.example) now."
    )
    assert found.same_words


def test_nothing_is_lost_from_either_text() -> None:
    new = "## Another\n\nA beehive holds 11 frames.\n\n- Dry ground\n\n```\ncode\n```\n"
    found = rows(compare_markdown(OLD, new))
    both = [
        ["".join(piece.text for piece in side.pieces) for side in sides if side is not None]
        for sides in ([row.old for row in found], [row.new for row in found])
    ]
    assert both[0] == [
        "A beehive holds 10 frames in each box. It stands best in the sun.", "Where to put it",
        "Dry ground", "A short path", "The last words stay as they are.",
    ]  # fmt: skip
    assert both[1] == ["Another", "A beehive holds 11 frames.", "Dry ground", "code\n"]


def test_an_empty_text_is_no_trouble() -> None:
    assert kinds("", "One.") == ["added"]
    assert kinds("", "") == []


def test_a_line_is_compared_word_by_word() -> None:
    row = compare_line("Choosing a hive", "Choosing a beehive")
    assert row.kind == "changed"
    assert row.new is not None
    assert marked(row.new.pieces) == ["beehive"]
    assert compare_line("Same", "Same").kind == "same"


def test_a_very_long_paragraph_is_marked_as_a_whole() -> None:
    words = " ".join(f"word{n}" for n in range(6000))
    row = rows(compare_markdown(words, f"{words} more"))[0]
    assert row.new is not None
    assert row.kind == "changed"
    assert [piece.marked for piece in row.new.pieces] == [True]
