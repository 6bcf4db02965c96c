"""The members of a project that people set: their limits, checks and descriptions."""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import fields, post_load, validate

from app.infra.inputs import Boolean, Choice, Input, Line, Part, Text, WebAddress, matching

TONES: Final = ("neutral", "friendly", "casual", "formal", "expert", "persuasive")
MOST_INSTRUCTIONS: Final = 2000
MOST_AVOIDED: Final = 30
LONGEST_AVOIDED: Final = 80
LONGEST_CLOSING: Final = 120
"""The same limits apply to the input of a generation."""

LANGUAGE: Final = r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*"
"""A language tag, roughly as in BCP 47."""

_MODEL: Final = r"[!-~]+"
_COLOUR: Final = "^(#[0-9A-Fa-f]{6})?$"


def _model(purpose: str, example: str) -> Text:
    pattern = f"(?:{_MODEL})?"
    return Text(
        0,
        150,
        matching(pattern, "This is not the name of a model: use ASCII characters and no spaces."),
        metadata={
            "pattern": f"^{pattern}$",
            "description": f"The model that {purpose}, instead of the service's own.",
            "example": example,
        },
    )


class CallToActionInput(Part):
    """The closing line of a post: its text and its link."""

    text = Line(
        1, LONGEST_CLOSING, required=True, allow_none=False, metadata={"example": "Try it for 14 days"}
    )
    url = WebAddress(
        required=True,
        metadata={"description": "An http or https address.", "example": "https://example.com/try"},
    )


class ProjectPatch(Input):
    """The changes of a project: absent members stay, null clears a member that may be empty."""

    name = Line(1, 200, allow_none=False, metadata={"example": "Example shop"})
    sitemap_url = Text(1, 2048, metadata={"format": "uri"})
    language = Text(
        0,
        35,
        matching(f"(?:{LANGUAGE})?", "This is not a language tag such as en or pt-BR."),
        metadata={"pattern": f"^(?:{LANGUAGE})?$", "example": "en"},
    )
    location = Text(0, 200)
    type = Text(0, 80)
    summary = Text(0, 5000)
    blog_theme = Text(0, 5000)
    key_features = Text(0, 5000)
    target_audience_summary = Text(0, 5000)
    pain_points = Text(0, 5000)
    product_usage = Text(0, 5000)
    founders = Text(0, 5000)
    links = Text(0, 5000)
    tone = Choice(TONES, allow_none=True)
    global_instructions = Text(
        0,
        MOST_INSTRUCTIONS,
        metadata={
            "description": "Instructions for every post that has none of its own.",
            "example": "Write British English.",
        },
    )
    avoid = fields.List(
        Line(1, LONGEST_AVOIDED, allow_none=False),
        allow_none=True,
        validate=validate.Length(max=MOST_AVOIDED, error="Use at most {max} words or phrases."),
        metadata={
            "description": "Words and phrases that posts must not use, unless a post has its own list.",
            "example": ["cheap"],
        },
    )
    call_to_action = fields.Nested(
        CallToActionInput,
        allow_none=True,
        metadata={"description": "The closing line of every post that has none of its own."},
    )
    llm_model = _model("writes the project's posts", "gpt-5-mini")
    llm_verify_model = _model("verifies them", "gpt-5-nano")
    brand_color = Text(
        0,
        7,
        matching(_COLOUR, "This is not a colour such as #0b6b57."),
        metadata={
            "description": "The colour of generated cover images; the service chooses one if it is null.",
            "pattern": _COLOUR,
            "example": "#0b6b57",
        },
    )
    list_sources = Boolean(
        allow_none=True,
        metadata={"description": "Whether posts end with a list of their sources; false by default."},
    )

    @post_load
    def as_stored(self, data: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """Return the members as the project stores them: an empty text is None."""
        values: dict[str, Any] = {name: value or None for name, value in data.items()}
        if "avoid" in values:
            values["avoid"] = list(dict.fromkeys(values["avoid"] or ()))
        if "list_sources" in values:
            values["list_sources"] = bool(values["list_sources"])
        if values.get("brand_color"):
            values["brand_color"] = values["brand_color"].lower()
        return values


class ProjectIn(ProjectPatch):
    """A new project. Only its URL is required."""

    url = Text(
        1,
        2048,
        required=True,
        allow_none=False,
        metadata={"format": "uri", "example": "https://example.com/"},
    )
    name = Line(0, 200)
