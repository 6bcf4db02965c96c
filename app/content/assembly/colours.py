"""The two colours of a project's cover images: a dark one to write on, and a light one for accents."""

import hashlib
from dataclasses import dataclass
from typing import Final

Colour = tuple[int, int, int]

WHITE: Final[Colour] = (255, 255, 255)
BLACK: Final[Colour] = (0, 0, 0)
_BASE_CONTRAST: Final = 10.0
"""The contrast of white text on the dark colour: shapes on it may take some away and leave more than 4.5."""
_ACCENT_CONTRAST: Final = 4.5
_STEP: Final = 0.04


@dataclass(frozen=True)
class Colours:
    """The dark colour of the background and the light one of its accents."""

    base: Colour
    accent: Colour


_PALETTE: Final = (
    Colours((16, 61, 53), (240, 196, 120)),
    Colours((27, 51, 87), (242, 184, 143)),
    Colours((66, 38, 73), (235, 190, 178)),
    Colours((82, 40, 38), (240, 205, 150)),
    Colours((40, 54, 36), (222, 208, 128)),
    Colours((23, 62, 76), (244, 178, 130)),
    Colours((50, 47, 82), (190, 206, 240)),
    Colours((62, 50, 36), (170, 214, 196)),
)


def colours_of(host: str, brand_color: str | None) -> Colours:
    """Return a project's colours: from its brand colour (#rrggbb), or chosen by its host, always the same."""
    if brand_color is None:
        return _PALETTE[hashlib.sha256(host.encode()).digest()[0] % len(_PALETTE)]
    brand = _parsed(brand_color)
    base = _moved(brand, BLACK, WHITE, _BASE_CONTRAST)
    return Colours(base, _moved(brand, WHITE, base, _ACCENT_CONTRAST))


def mixed(colour: Colour, other: Colour, share: float) -> Colour:
    """Return a colour with a share of another one, 0 to 1, in it."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(colour, other, strict=True))
    return red, green, blue


def contrast(colour: Colour, other: Colour) -> float:
    """Return the contrast ratio of two colours as WCAG defines it, 1 to 21."""
    light, dark = sorted((_luminance(colour), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _moved(colour: Colour, towards: Colour, against: Colour, wanted: float) -> Colour:
    """Return a colour moved towards another one until its contrast against a third is as wanted."""
    share = 0.0
    while contrast(mixed(colour, towards, share), against) < wanted and share < 1:
        share += _STEP
    return mixed(colour, towards, min(share, 1.0))


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _parsed(text: str) -> Colour:
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue
