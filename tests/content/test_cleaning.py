"""What a model may not write is taken out of its text."""

from __future__ import annotations

import pytest

from app.content.writing.llm.cleaning import cleaned, code_in, plain, plain_cell


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Hello <script>alert(1)</script>world.", "Hello world."),
        ("Hello <scr<script>x</script>ipt>alert(1)</script>world.", "Hello alert(1)world."),
        ("Hello <img src=x onerror=alert(1)> world.", "Hello world."),
        ("Hello <b>bold</b> world.", "Hello bold world."),
        ("See [the offer](https://evil.example/x(1)).", "See the offer."),
        ("See [the offer](javascript:alert(1)).", "See the offer."),
        ("See [the offer][1].", "See the offer."),
        ("See ![a picture](https://evil.example/x.png).", "See a picture."),
        ("See <https://evil.example/> now.", "See now."),
        ("**Bold**, `code` and ~~struck~~.", "Bold, code and struck."),
        ("## A heading", "A heading"),
        ("- 1. > An item", "An item"),
        ("1. März bis 30. September: nichts fällen", "1. März bis 30. September: nichts fällen"),
        ("An <!-- hidden --> answer", "An answer"),
        ("Two\nlines\tand\u200b more", "Two lines and more"),
        ("If a < b and c > d.", "If a < b and c > d."),
        ("snake_case and 2 * 3 * 4 stay.", "snake_case and 2 * 3 * 4 stay."),
    ],
)
def test_markup_and_links_are_taken_out(text: str, left: str) -> None:
    assert cleaned(text, ()) == left


def test_only_placeholders_of_pages_that_may_be_linked_stay() -> None:
    text = "See [[page:1|our hives]], [[page:2|others]] and [[page:x|no page]]."
    assert cleaned(text, {1}) == "See [[page:1|our hives]], others and [[page:x|no page]]."
    assert plain("See [[page:1|our hives]].") == "See our hives."


@pytest.mark.parametrize(
    ("text", "left", "code"),
    [
        ("Type `dig +short <name> MX`.", "Type dig +short <name> MX.", (("dig +short <name> MX", 0),)),
        ("Open `__init__.py` and **go**.", "Open __init__.py and go.", (("__init__.py", 0),)),
        ("The user sets `user`.", "The user sets user.", (("user", 1),)),
        ("<b>Set</b> `List<String>` once.", "Set List<String> once.", (("List<String>", 0),)),
        ("A ` alone is none.", "A ` alone is none.", ()),
        ("Run `dmesg | tail` now.", "Run dmesg | tail now.", (("dmesg | tail", 0),)),
        ("See `[[page:9|prices]]` now.", "See prices now.", ()),
        ("Put `<script>x</script>` there.", "Put there.", ()),
    ],
)
def test_code_between_backticks_stays_as_it_is(
    text: str, left: str, code: tuple[tuple[str, int], ...]
) -> None:
    assert cleaned(text, ()) == left
    assert code_in(text) == code


def test_a_long_command_stays_code() -> None:
    command = "hives replay --source stripe --since 2026-03-02T08:00Z --until 2026-03-02T11:30Z --rate 20/s"
    assert code_in(f"One source | `{command}` | all of it") == ((command, 0),)


@pytest.mark.parametrize(
    ("text", "left"),
    [("1. Schnitt", "1. Schnitt"), ("2) **cut**", "2) cut"), ("# Price", "Price"), ("> or .", "> or .")],
)
def test_a_cell_keeps_what_would_begin_an_item(text: str, left: str) -> None:
    assert plain_cell(text) == left
