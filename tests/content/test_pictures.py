"""Uploaded pictures: what is taken, what is refused and why, and that nothing but pixels is kept."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from app.content.assembly.pictures import MEDIA_TYPES, MOST_BYTES, picture_of
from app.failures import ServiceFailure
from tests.support.pictures import RED, animation, bomb, opened, picture, taken_by_a_camera


def refusal(data: bytes, declared: str = "image/png") -> ServiceFailure:
    with pytest.raises(ServiceFailure) as caught:
        picture_of(data, declared)
    return caught.value


def message(data: bytes, declared: str = "image/png") -> str:
    refused = refusal(data, declared)
    assert refused.failure.code == "INVALID_REQUEST"
    return refused.errors[0]["message"]


@pytest.mark.parametrize(("media_type", "kind"), MEDIA_TYPES.items())
def test_each_kind_is_taken_and_stays_what_it_is(media_type: str, kind: str) -> None:
    taken = picture_of(picture(kind), media_type)
    image = opened(taken.data)
    assert (taken.media_type, taken.width, taken.height) == (media_type, 800, 420)
    assert (image.format, image.size) == (kind, (800, 420))
    assert all(abs(a - b) < 12 for a, b in zip(image.convert("RGB").getpixel((9, 9)), RED, strict=True))


@pytest.mark.parametrize("declared", ["image/gif", "image/svg+xml", "application/json", "", "text/html"])
def test_another_type_is_not_taken(declared: str) -> None:
    assert refusal(picture(), declared).failure.code == "UNSUPPORTED_MEDIA_TYPE"


@pytest.mark.parametrize(
    "data",
    [picture("JPEG"), picture("GIF"), b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"\x89PNG\r\n"],
)
def test_a_picture_that_is_not_what_it_is_declared_is_refused(data: bytes) -> None:
    assert message(data) == "This is not a picture of the type image/png."


def test_a_damaged_picture_is_refused() -> None:
    whole = picture()
    assert message(whole[: len(whole) // 2]) == "The picture is damaged."


def test_a_picture_of_too_many_bytes_is_refused() -> None:
    assert refusal(bytes(MOST_BYTES + 1)).failure.code == "PAYLOAD_TOO_LARGE"


@pytest.mark.parametrize("size", [(50_000, 50_000), (100_000, 200), (2**31 - 1, 2**31 - 1)])
def test_a_picture_of_too_many_pixels_is_refused_before_they_are_read(size: tuple[int, int]) -> None:
    assert "million are taken" in message(bomb(*size))


def test_a_picture_too_small_to_show_is_refused() -> None:
    assert "it needs 200 x 100" in message(picture(size=(199, 100)))


@pytest.mark.parametrize(("media_type", "kind"), [("image/png", "PNG"), ("image/webp", "WEBP")])
def test_an_animated_picture_is_refused(media_type: str, kind: str) -> None:
    assert message(animation(kind), media_type).startswith("Animated pictures")


def test_metadata_of_a_camera_is_removed_and_the_picture_is_upright() -> None:
    sent = taken_by_a_camera()
    assert b"Camera maker" in sent
    taken = picture_of(sent, "image/jpeg")
    image = opened(taken.data)
    assert (taken.width, taken.height) == image.size == (400, 640)
    assert not image.getexif()
    assert not any(word in taken.data for word in (b"Exif", b"Camera maker", b"private remark"))


def test_text_and_colour_profiles_of_a_png_are_gone() -> None:
    taken = picture_of(picture(icc_profile=b"profile" * 40, dpi=(72, 72)), "image/png")
    assert opened(taken.data).info == {}


def test_what_follows_the_picture_is_gone() -> None:
    assert b"<script>" not in picture_of(picture() + b"<script>", "image/png").data


def test_a_large_picture_is_scaled_down() -> None:
    taken = picture_of(picture("JPEG", (4000, 3000)), "image/jpeg")
    assert (taken.width, taken.height) == (1600, 1200)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_every_mode_of_a_png_is_taken(mode: str) -> None:
    file = BytesIO()
    Image.new(mode, (300, 200)).save(file, "PNG")
    assert opened(picture_of(file.getvalue(), "image/png").data).size == (300, 200)


def test_transparency_is_kept() -> None:
    file = BytesIO()
    Image.new("RGBA", (300, 200), (10, 20, 30, 0)).save(file, "WEBP", lossless=True)
    assert opened(picture_of(file.getvalue(), "image/webp").data).mode == "RGBA"
