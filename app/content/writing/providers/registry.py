"""Which providers there are, and which one the settings and a project name."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from app.config import Settings
from app.content.writing.providers.base import Providers, TextProvider
from app.content.writing.providers.null import NullProvider

PROVIDERS: Final = {
    "openai": (".openai_compatible", "OpenAICompatibleProvider"),
    "anthropic": (".anthropic", "AnthropicProvider"),
}
"""Module and class by the value of LLM_PROVIDER.

Imported by name when a provider is asked for: an SDK takes a second, and web processes never ask.
"""


def is_configured(settings: Settings) -> bool:
    """Tell whether there is a provider: a model, and a key (the vendor's own) or an address."""
    return bool(settings.llm_model and (settings.llm_api_key or settings.llm_base_url))


def provider_for(settings: Settings, model: str | None = None) -> TextProvider:
    """Return the provider that the settings name, the null one when they name none.

    ``model`` replaces LLM_MODEL.
    """
    if not is_configured(settings):
        return NullProvider()
    module, name = PROVIDERS[settings.llm_provider]
    made: TextProvider = getattr(import_module(module, __package__), name)(
        base_url=settings.llm_base_url, api_key=settings.llm_api_key, model=model or settings.llm_model,
        prices=settings.llm_prices,
    )  # fmt: skip
    return made


def providers_for(
    settings: Settings, project_model: str | None, project_verify_model: str | None
) -> Providers:
    """Return the providers of a project's posts.

    The project's own models come before LLM_MODEL and LLM_VERIFY_MODEL; where nobody names a model for
    verification, the writer verifies.
    """
    writer = provider_for(settings, project_model)
    verify_model = project_verify_model or settings.llm_verify_model
    return Providers(writer, provider_for(settings, verify_model) if verify_model else writer)
