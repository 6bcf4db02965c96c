"""Numbers as spreadsheets of different countries write them. Pure."""

import re
from decimal import Decimal
from typing import Final

_DECORATION: Final = str.maketrans("", "", " \u00a0\u202f\u2009'’%$€£")
_GROUPED: Final = re.compile(r"[0-9]{1,3}(?:[.,][0-9]{3}){1,4}")
_PLAIN: Final = re.compile(r"[0-9]{1,15}(?:[.,][0-9]{1,15})?")
_GROUPED_DECIMAL: Final = re.compile(
    r"[0-9]{1,3}(?:,[0-9]{3}){1,4}\.[0-9]{1,15}|[0-9]{1,3}(?:\.[0-9]{3}){1,4},[0-9]{1,15}"
)


def whole_number(text: str) -> int | None:
    """Return the whole number in ``text``: "1,234", "1.234" and "1 234" are 1234. None if it is not one."""
    bare = text.translate(_DECORATION)
    if _GROUPED.fullmatch(bare):
        return int(re.sub("[.,]", "", bare))
    found = decimal_number(bare)
    return int(found) if found is not None and found == int(found) else None


def decimal_number(text: str) -> Decimal | None:
    """Return the number in ``text``: "7.5", "7,5", "1.234,5" and "7,5 %". None if it is not one."""
    bare = text.translate(_DECORATION)
    if _PLAIN.fullmatch(bare):
        return Decimal(bare.replace(",", "."))
    if _GROUPED_DECIMAL.fullmatch(bare):
        *groups, decimals = re.split("[.,]", bare)
        return Decimal(f"{''.join(groups)}.{decimals}")
    return None
