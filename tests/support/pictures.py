"""Pictures as people upload them, made here."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image

Colour = tuple[int, int, int]
RED: Colour = (200, 30, 30)


def picture(
    kind: str = "PNG", size: tuple[int, int] = (800, 420), colour: Colour = RED, **options: Any
) -> bytes:
    """A still picture of one colour, encoded as ``kind``."""
    file = BytesIO()
    Image.new("RGB", size, colour).save(file, kind, **options)
    return file.getvalue()


def animation(kind: str) -> bytes:
    """A picture of two frames."""
    frames = [Image.new("RGB", (400, 300), colour) for colour in (RED, (0, 0, 0))]
    file = BytesIO()
    frames[0].save(file, kind, save_all=True, append_images=frames[1:], duration=100)
    return file.getvalue()


def taken_by_a_camera() -> bytes:
    """A JPEG that is rotated, with the place where it was taken and a comment."""
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by 90 degrees
    exif[0x010F] = "Camera maker"
    exif.get_ifd(0x8825)[2] = (52.0, 31.0, 12.0)
    return picture("JPEG", (640, 400), exif=exif, comment=b"private remark")


def bomb(width: int = 50_000, height: int = 50_000) -> bytes:
    """A PNG of few bytes that claims many pixels."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def opened(data: bytes) -> Image.Image:
    """The picture in some bytes, its pixels read."""
    image = Image.open(BytesIO(data))
    image.load()
    return image


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
