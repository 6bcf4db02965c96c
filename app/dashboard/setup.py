"""Registers the dashboard: blueprints, template filters, headers and error pages."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from flask import Blueprint, Flask

from app import dashboard
from app.config import Settings
from app.dashboard import styleguide
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
    language_attributes,
    navigation,
    passages,
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
    language_attributes,
    verdicts,
)

_FOUND: Final = iter_modules(dashboard.__path__, "app.dashboard.")
_MODULES: Final = [import_module(each.name) for each in _FOUND if not each.ispkg]
_BLUEPRINTS: Final[list[Blueprint]] = [each.blueprint for each in _MODULES if hasattr(each, "blueprint")]


def init_app(app: Flask, settings: Settings) -> None:
    # The dashboard's blueprints check form tokens themselves; the API has keys instead.
    app.config.update(WTF_CSRF_CHECK_DEFAULT=False, WTF_CSRF_TIME_LIMIT=None)
    csrf.init_app(app)
    login_manager.init_app(app)
    app.session_interface = Sessions()
    app.jinja_env.filters.update(presentation.NAMED_FILTERS)
    for module in (figures, jobs, passages, planning_words, presentation):
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
    app.register_blueprint(assets.blueprint)
    for blueprint in _BLUEPRINTS:
        if blueprint is not styleguide.blueprint or not settings.production:
            app.register_blueprint(blueprint)
