"""Draws the cover image of a post from its title, the project's name and the project's colours.

Text to the left, rings that bleed off to the right; mirrored for right-to-left text. The title decides
where the rings are.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from app.content.assembly.colours import WHITE, Colour, Colours, mixed
from app.content.assembly.fonts import BOLD, REGULAR, Faces, drawable, is_right_to_left, is_shaping, runs_of
from app.content.assembly.typesetting import LEADING, Measure, fit

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

WIDTH: Final = 1200
HEIGHT: Final = 630
MEDIA_TYPE: Final = "image/png"
BROWSER_MEDIA_TYPE: Final = "image/webp"
PREVIEW_SIZE: Final = (800, 420)

MARGIN: Final = 84
_TITLE_SIZES: Final = (84, 76, 68, 60, 54, 48, 42, 38)
_WHOLE_WORDS_ABOVE: Final = 60
_TITLE_TOP: Final = 72
_TITLE_HEIGHT: Final = 400
_NAME_SIZE: Final = 32
_NAME_HEIGHT: Final = 40
_NAME_BASE: Final = HEIGHT - 76
_NAME_INDENT: Final = 36
_DOT: Final = 9
_MEASURED_SIZE: Final = 100
_RINGS: Final = ((430, 0.05), (300, 0.10), (176, 0.16))
"""The radius of each disc, and how much of the accent is in its colour."""

_COLOURS: Final = 128
"""Enough for the smooth edges of all parts, in less than half of the bytes of a picture in full colour."""

_PREVIEW_COLOURS: Final = 16
"""Few, because the edges of a long title in many colours take most of the bytes."""

_DESIGN: Final = 1
"""The version of the drawing: increase it when covers change, so that caches drop old ones."""


@dataclass(frozen=True)
class CoverDesign:
    """Everything that a drawn cover depends on. ``language`` chooses between the forms of Han characters."""

    title: str
    name: str
    language: str
    colours: Colours

    @property
    def digest(self) -> str:
        """The name of the picture that this draws."""
        return hashlib.sha256(json.dumps([_DESIGN, is_shaping(), asdict(self)]).encode()).hexdigest()


@lru_cache(maxsize=16)
def draw(design: CoverDesign) -> bytes:
    """Return the cover as a PNG of WIDTH by HEIGHT pixels."""
    from PIL import Image, ImageDraw

    title, name = drawable(design.title, BOLD), drawable(design.name, REGULAR)
    mirrored = is_right_to_left(title or name)
    picture = _background(title, design.colours, mirrored=mirrored)
    pen = _Pen(ImageDraw.Draw(picture), design.language, mirrored)
    pen.title(title, mixed(design.colours.base, WHITE, 0.94))
    pen.name(name, mixed(design.colours.base, WHITE, 0.82))
    file = BytesIO()
    few = picture.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(file, "PNG", optimize=True)
    return file.getvalue()


@lru_cache(maxsize=16)
def draw_for_browsers(design: CoverDesign) -> bytes:
    """Return the same pixels as WebP, in about two thirds of the bytes; blogs and networks want the PNG."""
    from PIL import Image

    file = BytesIO()
    with Image.open(BytesIO(draw(design))) as picture:
        picture.save(file, "WEBP", lossless=True, method=2)
    return file.getvalue()


@lru_cache(maxsize=16)
def draw_preview(design: CoverDesign) -> bytes:
    """Return the cover as WebP at the size at which it stands above a text that is read or written."""
    from PIL import Image

    file = BytesIO()
    with Image.open(BytesIO(draw(design))) as picture:
        small = picture.convert("RGB").resize(PREVIEW_SIZE, Image.Resampling.BOX)
    few = small.quantize(_PREVIEW_COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(file, "WEBP", lossless=True, method=2)
    return file.getvalue()


@dataclass(frozen=True)
class _Pen:
    """Writes text from the margin where its lines begin."""

    paper: ImageDraw.ImageDraw
    language: str
    mirrored: bool

    def title(self, text: str, colour: Colour) -> None:
        """Write the title in lines as large as fit, centred in the height that it has."""
        width = WIDTH - 2 * MARGIN
        measure = self._measure(BOLD)
        setting = fit(text, measure, _TITLE_SIZES, width, _TITLE_HEIGHT, whole_above=_WHOLE_WORDS_ABOVE)
        top = _TITLE_TOP + (_TITLE_HEIGHT - setting.height) / 2
        for number, line in enumerate(setting.lines):
            base = top + setting.size * (number * LEADING + 1)
            self._write(line, BOLD, setting.size, base, colour)

    def name(self, text: str, colour: Colour) -> None:
        """Write the project's name in one line below, beside the dot."""
        width = WIDTH - 2 * MARGIN - _NAME_INDENT
        setting = fit(text, self._measure(REGULAR), (_NAME_SIZE,), width, _NAME_HEIGHT)
        for line in setting.lines:
            self._write(line, REGULAR, _NAME_SIZE, _NAME_BASE, colour, _NAME_INDENT)

    def _write(
        self, line: str, faces: Faces, size: int, base: float, colour: Colour, indent: int = 0
    ) -> None:
        runs = runs_of(line, faces)
        x = float(MARGIN + indent)
        if self.mirrored:
            x = WIDTH - x - self._width(line, faces, size)
            runs.reverse()
        for face, part in runs:
            font = face.sized(size)
            self.paper.text((x, base), part, colour, font, anchor="ls", **self._shaping)
            x += font.getlength(part, **self._shaping)

    def _measure(self, faces: Faces) -> Measure:
        return lambda text: self._width(text, faces, _MEASURED_SIZE) / _MEASURED_SIZE

    def _width(self, text: str, faces: Faces, size: int) -> float:
        return sum(face.sized(size).getlength(part, **self._shaping) for face, part in runs_of(text, faces))

    @property
    def _shaping(self) -> dict[str, Any]:
        if not is_shaping():
            return {}
        return {"language": self.language, "direction": "rtl" if self.mirrored else "ltr"}


def _background(title: str, colours: Colours, *, mirrored: bool) -> Image.Image:
    """Return the background with rings and dot, drawn at twice the size so that their edges are smooth."""
    from PIL import Image, ImageDraw, ImageOps

    base, accent = colours.base, colours.accent
    picture = Image.new("RGB", (WIDTH * 2, HEIGHT * 2), base)
    paper = ImageDraw.Draw(picture)
    x, y = _centre(title)
    for radius, share in _RINGS:
        paper.circle((x * 2, y * 2), radius * 2, mixed(base, accent, share))
    paper.circle(((MARGIN + _DOT) * 2, (_NAME_BASE - _NAME_SIZE // 3) * 2), _DOT * 2, accent)
    small = picture.reduce(2)
    return ImageOps.mirror(small) if mirrored else small


def _centre(title: str) -> tuple[int, int]:
    """Return where the rings of a title lie: somewhere along the right edge."""
    across, down = hashlib.sha256(title.encode()).digest()[:2]
    return WIDTH - 120 + across * 160 // 255, 60 + down * (HEIGHT - 120) // 255
