"""What a project asks of every post: instructions, words to avoid, a closing line. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.failures import ServiceFailure, invalid_field
from app.infra.fields import clean_text
from app.infra.urls import MAX_URL, InvalidUrl, normalise

MOST_INSTRUCTIONS: Final = 2000
MOST_AVOIDED: Final = 30
LONGEST_AVOIDED: Final = 80
LONGEST_CLOSING: Final = 120
"""Limits in characters, and of words or phrases to avoid: those of a generation's own input."""

_CLOSING: Final = {"text": LONGEST_CLOSING, "url": MAX_URL}


def clean_avoid(value: Any) -> list[str]:
    """Return words and phrases to avoid, each once, on one line; None and an empty list are none.

    Raises INVALID_REQUEST that names ``/avoid``, or ``/avoid/<number>`` for one of them.
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise invalid_field("/avoid", "This must be a list of texts.")
    if len(value) > MOST_AVOIDED:
        raise invalid_field("/avoid", f"This may have at most {MOST_AVOIDED} words or phrases.")
    cleaned = [clean_text(f"avoid/{number}", each, LONGEST_AVOIDED) for number, each in enumerate(value)]
    return list(dict.fromkeys(" ".join(each.split()) for each in cleaned if each))


def clean_call_to_action(value: Any) -> dict[str, str] | None:
    """Return a closing line as ``{text, url}``, its address kept as written; None when there is none.

    Raises INVALID_REQUEST that names ``/call_to_action/text``, ``/call_to_action/url`` or another member.
    """
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise invalid_field("/call_to_action", "This must be an object with text and url.")
    wrong = {name: "Unknown field." for name in value if name not in _CLOSING}
    given = {
        name: clean_text(f"call_to_action/{name}", value.get(name), most) for name, most in _CLOSING.items()
    }
    wrong |= {
        name: "This is required: a closing line has a text and an address."
        for name in given
        if not given[name]
    }
    if given["url"]:
        try:
            normalise(given["url"])
        except InvalidUrl as error:
            wrong["url"] = f"Not a usable http or https address: {error.reason}."
    if wrong:
        errors = [
            {"location": "body", "field": f"/call_to_action/{name}", "message": told}
            for name, told in wrong.items()
        ]
        raise ServiceFailure("INVALID_REQUEST", errors=errors)
    return {name: " ".join((text or "").split()) for name, text in given.items()}
