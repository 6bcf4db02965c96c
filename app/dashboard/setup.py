"""Registers the dashboard: blueprints, template filters, headers and error pages."""

from __future__ import annotations

from typing import Final

from flask import Flask

from app.config import Settings
from app.dashboard import (
    api_keys,
    auth,
    autopilot,
    bulk_schedule,
    calendar,
    covers,
    edited_there,
    executions,
    exports,
    google,
    help,
    ideas,
    images,
    keyword_files,
    keywords,
    landing,
    leaving,
    links,
    mail_choices,
    onboarding,
    page_list,
    pages,
    password_reset,
    plans,
    post_list,
    posts,
    profile,
    project_removal,
    projects,
    proposals,
    publications,
    sample,
    saved_filters,
    schedule,
    search,
    search_files,
    second_factor,
    security_log,
    signed_in_browsers,
    sitemap_files,
    styleguide,
    targets,
    versions,
    writing,
)
from app.dashboard.forms.base import fresh_key
from app.dashboard.mails.letters import compose
from app.dashboard.saved_filters import saved_bar
from app.dashboard.ui import (
    assets,
    brief,
    connections,
    errors,
    failures,
    fields,
    figures,
    first_visit,
    jobs,
    navigation,
    planning_words,
    presentation,
    verdicts,
)
from app.dashboard.ui.blueprint import RowId, csrf, init_headers
from app.dashboard.ui.cookie import Sessions, login_manager
from app.dashboard.ui.toasts import toasts
from app.dashboard.ui.zones import init_zones
from app.notifications import delivery
from app.pages.sample_site import is_sample

MODULES: Final = (
    assets,
    landing,
    auth,
    password_reset,
    projects,
    project_removal,
    onboarding,
    sample,
    pages,
    page_list,
    sitemap_files,
    keywords,
    keyword_files,
    search,
    search_files,
    google,
    ideas,
    plans,
    posts,
    post_list,
    saved_filters,
    covers,
    images,
    exports,
    proposals,
    publications,
    executions,
    edited_there,
    profile,
    signed_in_browsers,
    security_log,
    second_factor,
    leaving,
    api_keys,
    targets,
    schedule,
    bulk_schedule,
    calendar,
    links,
    autopilot,
    writing,
    versions,
    help,
    mail_choices,
)
WITH_GLOBALS: Final = (
    assets,
    brief,
    connections,
    failures,
    fields,
    first_visit,
    jobs,
    navigation,
    presentation,
    verdicts,
)
"""The modules whose functions templates call."""


def init_app(app: Flask, settings: Settings) -> None:
    """Register the dashboard with the application."""
    # The dashboard's blueprints check form tokens themselves; the API has keys instead.
    app.config.update(WTF_CSRF_CHECK_DEFAULT=False, WTF_CSRF_TIME_LIMIT=None)
    csrf.init_app(app)
    login_manager.init_app(app)
    app.session_interface = Sessions()
    app.jinja_env.filters.update(presentation.NAMED_FILTERS)
    for module in (figures, jobs, planning_words, presentation):
        app.jinja_env.filters.update({each.__name__: each for each in module.FILTERS})
    app.jinja_env.globals.update(
        brand_name=settings.brand_name,
        toasts=toasts,
        saved_bar=saved_bar,
        fresh_key=fresh_key,
        is_sample=is_sample,
    )
    for module in WITH_GLOBALS:
        app.jinja_env.globals.update({each.__name__: each for each in module.GLOBALS})
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.url_map.converters["row"] = RowId
    init_headers(app, settings)
    init_zones(app)
    errors.init_app(app)
    delivery.init_app(app, compose)
    for module in MODULES:
        app.register_blueprint(module.blueprint)
    if not settings.production:
        app.register_blueprint(styleguide.blueprint)
