"""Which provider and which models the settings and a project name."""

from __future__ import annotations

import time

import pytest

from app.config import InvalidSettings, Settings, load_settings
from app.content.writing.providers.anthropic import AnthropicProvider
from app.content.writing.providers.openai_compatible import OpenAICompatibleProvider
from app.content.writing.providers.registry import (
    PROVIDERS,
    NullProvider,
    is_configured,
    provider_for,
    providers_for,
)
from app.failures import ServiceFailure
from tests.support.environment import settings_environment


def named(**llm: str) -> Settings:
    return load_settings(
        settings_environment(**{f"LLM_{name.upper()}": value for name, value in llm.items()})
    )


def models(settings: Settings, model: str | None = None, verify_model: str | None = None) -> tuple[str, str]:
    found = providers_for(settings, model, verify_model)
    return found.writer.model, found.verifier.model


def test_the_null_provider_says_that_none_is_configured() -> None:
    provider = provider_for(named())
    assert isinstance(provider, NullProvider)
    with pytest.raises(ServiceFailure, match="No text provider is configured"):
        provider.complete([], schema=None, deadline=time.monotonic(), should_stop=lambda: False)


def test_a_provider_is_configured_by_a_model_and_a_key_or_an_address() -> None:
    assert is_configured(named(api_key="key", model="model"))
    assert is_configured(named(base_url="http://127.0.0.1/v1", model="model"))
    assert not is_configured(named(base_url="http://127.0.0.1/v1", api_key="key"))
    assert not is_configured(named(model="model"))


def test_a_model_of_a_project_alone_configures_no_provider() -> None:
    assert models(named(api_key="key"), "claude-haiku-4-5") == ("none", "none")


def test_openai_is_asked_unless_anthropic_is_named() -> None:
    assert isinstance(provider_for(named(api_key="key", model="m")), OpenAICompatibleProvider)
    by_name = provider_for(named(provider="anthropic", api_key="key", model="m"))
    assert isinstance(by_name, AnthropicProvider)
    assert by_name.name == "anthropic"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_each_provider_of_the_registry_can_be_named(provider: str) -> None:
    assert provider_for(named(provider=provider, base_url="http://host", model="m")).name == "host"


def test_a_provider_that_is_not_in_the_registry_is_refused_with_those_that_are() -> None:
    with pytest.raises(InvalidSettings, match=f"LLM_PROVIDER must be one of {', '.join(PROVIDERS)}"):
        named(provider="gemini")


@pytest.mark.parametrize(
    ("verify_model", "project", "expected"),
    [
        (None, (None, None), ("big", "big")),
        ("small", (None, None), ("big", "small")),
        ("small", ("own", None), ("own", "small")),
        (None, ("own", None), ("own", "own")),
        ("small", (None, "own-small"), ("big", "own-small")),
        ("small", ("own", "own-small"), ("own", "own-small")),
    ],
)
def test_a_projects_models_come_before_those_of_the_settings(
    verify_model: str | None, project: tuple[str | None, str | None], expected: tuple[str, str]
) -> None:
    verify = {"verify_model": verify_model} if verify_model else {}
    assert models(named(api_key="key", model="big", **verify), *project) == expected


def test_each_provider_knows_the_prices_of_the_settings() -> None:
    settings = named(api_key="key", model="big", verify_model="small", prices="small=1/5")
    found = providers_for(settings, None, None)
    assert found.writer.prices == found.verifier.prices == settings.llm_prices
