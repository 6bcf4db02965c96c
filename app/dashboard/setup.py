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
from app.dashboard.ui import assets, brief, errors, fields, figures, jobs, verdicts
from app.dashboard.ui.assets import asset_url, icon, icon_sheet
from app.dashboard.ui.blueprint import RowId, csrf, init_headers
from app.dashboard.ui.connections import (
    asks_for_secret,
    check_words,
    mending_words_of,
    settings_in_words,
    trouble_of,
    what_it_said,
)
from app.dashboard.ui.cookie import login_manager
from app.dashboard.ui.failures import in_plain_words, next_actions
from app.dashboard.ui.first_visit import idea_coverage, visit_words
from app.dashboard.ui.navigation import account_links, settings_links, site_links
from app.dashboard.ui.planning_words import FILTERS as PLANNING_FILTERS
from app.dashboard.ui.presentation import FILTERS, GLOBALS
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


def init_app(app: Flask, settings: Settings) -> None:
    """Register the dashboard with the application."""
    # The dashboard's blueprints check form tokens themselves; the API has keys instead.
    app.config.update(WTF_CSRF_CHECK_DEFAULT=False, WTF_CSRF_TIME_LIMIT=None)
    csrf.init_app(app)
    login_manager.init_app(app)
    app.jinja_env.filters.update(**FILTERS, **jobs.FILTERS)
    app.jinja_env.filters.update(PLANNING_FILTERS)
    app.jinja_env.filters.update(figures.FILTERS)
    app.jinja_env.globals.update(
        **GLOBALS,
        **jobs.GLOBALS,
        **verdicts.GLOBALS,
        **fields.GLOBALS,
        **brief.GLOBALS,
        asset_url=asset_url,
        brand_name=settings.brand_name,
        site_links=site_links,
        toasts=toasts,
        saved_bar=saved_bar,
        settings_links=settings_links,
        account_links=account_links,
        icon=icon,
        icon_sheet=icon_sheet,
        fresh_key=fresh_key,
        next_actions=next_actions,
        in_plain_words=in_plain_words,
        check_words=check_words,
        asks_for_secret=asks_for_secret,
        mending_words_of=mending_words_of,
        trouble_of=trouble_of,
        settings_in_words=settings_in_words,
        what_it_said=what_it_said,
        idea_coverage=idea_coverage,
        visit_words=visit_words,
        is_sample=is_sample,
    )
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
