"""Checks an uploaded picture and redraws it, so that only its pixels are kept."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from app.failures import ServiceFailure, invalid_field

if TYPE_CHECKING:
    from PIL import Image

MEDIA_TYPES: Final = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}
"""The media types that are taken, with Pillow's names for them."""

MOST_BYTES: Final = 5_000_000
MOST_PIXELS: Final = {"PNG": 12_600_000, "JPEG": 12_600_000, "WEBP": 5_000_000}
"""What a telephone's camera takes. Decoding takes 80 MB then; WebP needs the most memory for each pixel."""
LEAST_WIDTH: Final = 200
LEAST_HEIGHT: Final = 100
_LONGEST_SIDE: Final = 1600
"""Larger pictures are scaled down: no reader is shown more."""

_TAKEN: Final = "Send a PNG, JPEG or WebP picture."
_SAVED_AS: Final[dict[str, dict[str, Any]]] = {
    "PNG": {"optimize": False},
    "JPEG": {"quality": 86, "progressive": True},
    "WEBP": {"quality": 86, "method": 4},
}
_ONE_AT_A_TIME: Final = Lock()
"""Threads that decode large pictures together would need the memory of all of them."""

_BROKEN: Final = (OSError, SyntaxError, ValueError, EOFError)


@dataclass(frozen=True)
class Picture:
    """A picture as it is stored."""

    data: bytes
    media_type: str
    width: int
    height: int

    @cached_property
    def content_hash(self) -> str:
        """The SHA-256 of the picture."""
        return hashlib.sha256(self.data).hexdigest()


def picture_of(data: bytes, declared: str) -> Picture:
    """Return an uploaded picture redrawn: upright, at most 1600 pixels long, without its metadata.

    ``declared`` is the media type that the sender named. Raises PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE,
    and INVALID_REQUEST for what is no such picture, is animated, or has too many or too few pixels.
    """
    if len(data) > MOST_BYTES:
        raise ServiceFailure("PAYLOAD_TOO_LARGE", f"The picture is over {MOST_BYTES // 1_000_000} MB.")
    kind = MEDIA_TYPES.get(declared)
    if kind is None:
        raise ServiceFailure(
            "UNSUPPORTED_MEDIA_TYPE", _TAKEN, hints=[f"Use one of the types {', '.join(MEDIA_TYPES)}."]
        )
    with _ONE_AT_A_TIME, _opened(data, kind, declared) as image:
        _check_size(image, kind)
        if kind != "JPEG" and getattr(image, "is_animated", False):
            raise _refused("Animated pictures are not taken: send a still one.")
        return _redrawn(image, kind, declared)


def _opened(data: bytes, kind: str, declared: str) -> Image.Image:
    """Return the picture, its pixels not read yet."""
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            # We check the size ourselves before a pixel is read.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            return Image.open(BytesIO(data), formats=[kind])
    except UnidentifiedImageError:
        raise _refused(f"This is not a picture of the type {declared}.") from None
    except Image.DecompressionBombError:
        raise _too_many("far too many", kind) from None
    except _BROKEN:
        raise _refused("The picture cannot be read.") from None


def _check_size(image: Image.Image, kind: str) -> None:
    width, height = image.size
    if width * height > MOST_PIXELS[kind]:
        raise _too_many(f"{width} x {height}", kind)
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        raise _refused(
            f"The picture has {width} x {height} pixels; it needs {LEAST_WIDTH} x {LEAST_HEIGHT} at least."
        )


def _redrawn(image: Image.Image, kind: str, media_type: str) -> Picture:
    from PIL import Image, ImageOps

    try:
        mode = "RGBA" if kind != "JPEG" and image.has_transparency_data else "RGB"
        pixels = image if image.mode in ("L", mode) else image.convert(mode)
        pixels.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE), reducing_gap=1.25)
        upright = ImageOps.exif_transpose(pixels)
        # A new image of the pixels has no metadata.
        bare = Image.new(mode, upright.size)
        bare.paste(upright)
        file = BytesIO()
        bare.save(file, kind, **_SAVED_AS[kind])
    except _BROKEN:
        raise _refused("The picture is damaged.") from None
    return Picture(file.getvalue(), media_type, *bare.size)


def _too_many(size: str, kind: str) -> ServiceFailure:
    most = MOST_PIXELS[kind] / 1e6
    return _refused(f"The picture has {size} pixels; at most {most:g} million are taken of this type.")


def _refused(message: str) -> ServiceFailure:
    return invalid_field("", message)
