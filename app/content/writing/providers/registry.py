"""Which provider the settings name."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from app.content.writing.providers.base import TextProvider
from app.content.writing.providers.null import NullProvider

OPENAI_COMPATIBLE: Final = "app.content.writing.providers.openai_compatible"
"""Imported by its name when a provider is asked for: its SDK takes a second, and web processes never ask."""


def is_configured(base_url: str | None, api_key: str | None, model: str | None) -> bool:
    """Tell whether there is a provider: a model, and a key (OpenAI) or an address (a server of one's own)."""
    return bool(model and (api_key or base_url))


def provider_for(base_url: str | None, api_key: str | None, model: str | None) -> TextProvider:
    """Return the provider for LLM_BASE_URL, LLM_API_KEY and LLM_MODEL, the null one when they name none."""
    if not is_configured(base_url, api_key, model):
        return NullProvider()
    made: TextProvider = import_module(OPENAI_COMPATIBLE).OpenAICompatibleProvider(
        base_url=base_url, api_key=api_key, model=model
    )
    return made
