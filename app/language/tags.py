"""Language tags of BCP 47. Pure."""

import re
from functools import lru_cache
from typing import Final

_LONGEST_TAG: Final = 35
_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*", re.ASCII)
_SAME: Final = {"iw": "he", "in": "id", "nb": "no", "nn": "no", "ji": "yi", "mo": "ro"}


@lru_cache(maxsize=1024)
def language_code(tag: str) -> str:
    """Return the language of a tag, one code for each: ``de-AT`` gives ``de``, ``nb`` gives ``no``."""
    code = tag.replace("_", "-").split("-")[0].lower()
    return _SAME.get(code, code)


def spellings(code: str) -> list[str]:
    """Return all codes that ``language_code`` gives this one for, itself first."""
    return [code, *(other for other, one in _SAME.items() if one == code)]


def valid_tag(text: str) -> str | None:
    """Return a language tag in its usual spelling, or None if the text is no tag."""
    tag = text.strip()
    return tag.replace("_", "-") if len(tag) <= _LONGEST_TAG and _TAG.fullmatch(tag) else None
