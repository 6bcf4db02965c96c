"""What visitors see: the first page, which leads people who are signed in on, and what becomes of data."""

from collections.abc import Mapping
from typing import Final

from flask import redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app.config import Settings
from app.content.writing.providers.registry import is_configured
from app.dashboard.auth import sign_up_form
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.presentation import host_of
from app.infra.settings import current_settings

blueprint = dashboard_blueprint("landing")

_PROVIDERS: Final[Mapping[str, str]] = {"openai": "OpenAI", "anthropic": "Anthropic"}


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """Redirect signed-in people to their projects; show everybody else what the service does."""
    if current_user.is_authenticated:
        return redirect(url_for("projects.index"))
    settings = current_settings()
    return render_template(
        "landing/index.html",
        form=sign_up_form(),
        signup_open=settings.sign_up == "open",
        price_note=settings.price_note,
        terms_url=settings.terms_url,
        writer=_writer(settings) if is_configured(settings) else None,
    )


@blueprint.get("/your-data")
def your_data() -> ResponseReturnValue:
    """Say what is kept, who sees it, where it goes and how it is taken away, as this service is set up."""
    settings = current_settings()
    return render_template(
        "landing/your_data.html",
        terms_url=settings.terms_url,
        writer=_writer(settings) if is_configured(settings) else None,
        job_days=settings.job_retention_days,
        paper_days=settings.artefact_retention_days,
        has_google=settings.reads_google,
    )


def _writer(settings: Settings) -> str:
    """Return whose language model writes, in words."""
    return host_of(settings.llm_base_url) if settings.llm_base_url else _PROVIDERS[settings.llm_provider]
