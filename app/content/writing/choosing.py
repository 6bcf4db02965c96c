"""The engines that can write a post, and the choice of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from app.config import Settings
from app.content.writing.providers.registry import is_configured
from app.failures import invalid_field

ENGINES: Final = ("auto", "llm", "extractive")
ON_FAILURE: Final = ("fail", "extractive")

Engine = Literal["llm", "extractive"]


@dataclass(frozen=True)
class Choice:
    """The engine of a generation, and whether the extractive one takes over when the model fails.

    ``model`` and ``verify_model`` are the project's own; None leaves them to the settings.
    """

    engine: Engine
    falls_back: bool = False
    model: str | None = None
    verify_model: str | None = None


def check_engine(payload: Mapping[str, Any], settings: Settings) -> None:
    """Raise INVALID_REQUEST, with the field, if the engine is the model's and there is no model."""
    if payload.get("engine") == "llm" and not is_configured(settings):
        raise invalid_field(
            "/payload/engine", "No text provider is configured; use auto or extractive, or ask the operator."
        )


def choose(
    payload: Mapping[str, Any],
    settings: Settings,
    model: str | None = None,
    verify_model: str | None = None,
) -> Choice:
    """Return the engine: the requested one, or for ``auto`` the model if there is one."""
    asked = payload.get("engine") or "auto"
    by_model = asked == "llm" or (asked == "auto" and is_configured(settings))
    falls_back = payload.get("on_llm_failure") == "extractive"
    return Choice("llm" if by_model else "extractive", falls_back, model, verify_model)
