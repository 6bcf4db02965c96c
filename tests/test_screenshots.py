"""bin/screenshots: its pictures are there, small, and shown somewhere."""

from __future__ import annotations

import pytest
from PIL import Image

from devtools.local import ROOT
from devtools.screenshots import HEIGHT, LARGEST, PICTURES, WIDTH, Picture

SHOWN_IN = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "app" / "templates").rglob("*.html")]


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.file.name)
def test_a_picture_is_small_and_shown(picture: Picture) -> None:
    path = ROOT / picture.file
    assert path.stat().st_size <= LARGEST
    with Image.open(path) as image:
        assert (image.format, image.size) == ("WEBP", (WIDTH, HEIGHT))
    assert any(picture.file.name in page.read_text() for page in SHOWN_IN)


def test_no_other_picture_lies_about() -> None:
    known = {ROOT / picture.file for picture in PICTURES}
    assert {path for folder in {path.parent for path in known} for path in folder.iterdir()} == known
