"""About how many tokens of a language model a text takes. Pure."""

from __future__ import annotations

import math
from typing import Final

_BYTES_A_TOKEN: Final = 4


def tokens_in(text: str) -> int:
    """Return a rough number of tokens: a quarter of the bytes of UTF-8."""
    return math.ceil(len(text.encode()) / _BYTES_A_TOKEN)
