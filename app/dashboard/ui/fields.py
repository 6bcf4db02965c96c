"""How a field of a form is shown."""

from collections.abc import Mapping
from typing import Final

from wtforms import Field

_LOOKS: Final[Mapping[str, str]] = {
    "SelectField": "select",
    "TextAreaField": "textarea",
    "LineField": "input grows",
}


def look_of(field: Field) -> str:
    """Return the classes of a field's element, with those of its own."""
    return " ".join(filter(None, (_LOOKS.get(field.type, "input"), (field.render_kw or {}).get("class"))))


def described_by(field: Field) -> dict[str, str]:
    """Return the attributes that tie a field to its help and to what is wrong with it."""
    parts = [f"{field.id}-help"] if field.description else []
    parts += [f"{field.id}-wrong"] if field.errors else []
    described = {"aria-describedby": " ".join(parts)} if parts else {}
    return described | ({"aria-invalid": "true"} if field.errors else {})


GLOBALS: Final = (look_of, described_by)
