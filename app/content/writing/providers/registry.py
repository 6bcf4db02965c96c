"""Which providers there are, and which one the settings and a project name."""

from importlib import import_module
from typing import Any, Final

from app.config import Settings
from app.content.writing.providers.base import Completion, Providers, TextProvider
from app.failures import ServiceFailure
from app.prices import NO_PRICES

PROVIDERS: Final = {
    "openai": (".openai_compatible", "OpenAICompatibleProvider"),
    "anthropic": (".anthropic", "AnthropicProvider"),
}
"""Module and class by the value of LLM_PROVIDER.

They are imported when a provider is needed: an SDK takes a second to import, and web processes need none.
"""


class NullProvider:
    """Used when no provider is configured: every call fails and says what to configure."""

    name = "none"
    model = "none"
    prices = NO_PRICES

    def complete(self, *_messages: Any, **_options: Any) -> Completion:
        """Raise PROVIDER_REJECTED."""
        raise ServiceFailure(
            "PROVIDER_REJECTED",
            "No text provider is configured.",
            hints=["Use the extractive engine.", "For the operator: set LLM_API_KEY and LLM_MODEL."],
            details={"provider": self.name},
        )


def is_configured(settings: Settings) -> bool:
    """Return whether there is a provider: a model, and a key (the vendor's own) or an address."""
    return bool(settings.llm_model and (settings.llm_api_key or settings.llm_base_url))


def provider_for(settings: Settings, model: str | None = None) -> TextProvider:
    """Return the configured provider, or the null one. ``model`` replaces LLM_MODEL."""
    if not is_configured(settings):
        return NullProvider()
    module, name = PROVIDERS[settings.llm_provider]
    provider: TextProvider = getattr(import_module(module, __package__), name)(
        base_url=settings.llm_base_url,
        api_key=settings.llm_api_key,
        model=model or settings.llm_model,
        prices=settings.llm_prices,
    )
    return provider


def providers_for(
    settings: Settings, project_model: str | None, project_verify_model: str | None
) -> Providers:
    """Return the providers of a project's posts.

    The project's own models come before LLM_MODEL and LLM_VERIFY_MODEL. Without a model for verification,
    the writer verifies.
    """
    writer = provider_for(settings, project_model)
    verify_model = project_verify_model or settings.llm_verify_model
    return Providers(writer, provider_for(settings, verify_model) if verify_model else writer)
