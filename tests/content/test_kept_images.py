"""The images of a text that is written anew."""

from __future__ import annotations

import pytest

from app.content.rendering.kept_images import with_images_of
from app.content.rendering.replacing import replaced

PHOTO = "![A *red* hive](image:3)"
OLD = f"""\
Before.

## Hives

They are of wood.

{PHOTO}

They hold ten [frames](https://bees.example/frames).

## Care

- Look daily ![A bee](<https://bees.example/a(1).png>)
"""


def test_an_image_stays_behind_the_block_it_followed() -> None:
    new = OLD.replace(f"{PHOTO}\n\n", "").replace("ten [frames](https://bees.example/frames)", "11 frames")
    assert with_images_of(OLD, new) == OLD.replace("ten [frames](https://bees.example/frames)", "11 frames")


def test_a_text_that_shows_the_images_elsewhere_stays_as_it_is() -> None:
    new = f"{PHOTO}\n\n## Hives\n\n![A bee](<https://bees.example/a(1).png>)"
    assert with_images_of(OLD, new) == new


def test_images_of_a_rewritten_section_are_at_its_end() -> None:
    new = "## Care\r\n\r\nOften.\r\n\r\n- Look\r\n\r\n## Hives\nNew.\n### Their legs\nFour."
    assert with_images_of(OLD, new) == (
        "## Care\n\nOften.\n\n- Look\n\n![A bee](<https://bees.example/a(1).png>)\n\n"
        f"## Hives\nNew.\n\n{PHOTO}\n\n### Their legs\nFour."
    )


@pytest.mark.parametrize(
    ("new", "kept"),
    [
        ("Before.\n\n## Else\n\nNew.", f"Before.\n\n{PHOTO}\n\n## Else\n\nNew."),
        ("New.\n\n## Else\n\nNew.", f"New.\n\n{PHOTO}\n\n## Else\n\nNew."),
        ("## Else\n\nNew.", f"{PHOTO}\n\n## Else\n\nNew."),
    ],
)
def test_images_of_a_section_that_is_gone_end_the_one_before_it(new: str, kept: str) -> None:
    assert with_images_of(OLD.partition("They hold")[0], new) == kept


def test_a_sentence_that_an_image_is_said_to_show_is_not_the_one_that_is_replaced() -> None:
    text = "![It is red. See?](image:3)\n\nIt is red."
    assert replaced(text, "It is red.", "It is blue.") == "![It is red. See?](image:3)\n\nIt is blue."
    assert replaced("![It is red.](image:3)", "It is red.", "It is blue.") is None
