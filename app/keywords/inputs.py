"""The members of a keyword that people set: their limits, checks and descriptions."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from marshmallow import ValidationError, fields, post_load

from app.infra.inputs import Input, Integer, Line, Text, matching

_MAX_PRICE: Final = Decimal("99999999.99")
_CENT: Final = Decimal("0.01")


class _Price(fields.Float):
    """An amount of money with at most two decimals. Loads as Decimal."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            raise ValidationError("Not a valid number.")
        price = Decimal(str(value))
        if not price.is_finite() or not 0 <= price <= _MAX_PRICE:
            raise ValidationError(f"This must be a number from 0 to {_MAX_PRICE}.")
        if price != price.quantize(_CENT):
            raise ValidationError("This may have at most two decimals.")
        return price.quantize(_CENT)


def _code(letters: int, example: str) -> Text:
    pattern = f"[A-Za-z]{{{letters}}}"
    return Text(
        letters,
        letters,
        matching(pattern, f"This must be a code of {letters} letters."),
        metadata={"example": example, "pattern": f"^{pattern}$"},
    )


class KeywordIn(Input):
    keyword_text = Text(
        1,
        1000,
        required=True,
        allow_none=False,
        metadata={"example": "content brief", "description": "At most 80 characters after folding."},
    )
    volume = Integer(allow_none=True, metadata={"description": "Searches a month."})
    difficulty = Integer(most=100, allow_none=True)
    cpc_value = _Price(allow_none=True, metadata={"minimum": 0, "description": "At most two decimals."})
    cpc_currency = _code(3, "EUR")
    country = _code(2, "DE")
    data_source = Line(0, 80)

    @post_load
    def as_stored(self, data: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        codes = {name: data[name].upper() for name in ("cpc_currency", "country") if data.get(name)}
        return {**data, **codes, "data_source": data.get("data_source") or None}
