"""Puts this face into the application."""

from __future__ import annotations

from typing import Final

from flask import Flask

from app.config import Settings
from app.dashboard import (
    api_keys,
    assets,
    auth,
    covers,
    errors,
    executions,
    headers,
    ideas,
    keywords,
    pages,
    plans,
    posts,
    profile,
    projects,
    proposals,
    publications,
    targets,
)
from app.dashboard.assets import asset_url
from app.dashboard.forms import fresh_key
from app.dashboard.icons import icon, icon_sheet
from app.dashboard.next_actions import next_actions
from app.dashboard.plain_words import in_plain_words
from app.dashboard.presentation import FILTERS, GLOBALS
from app.dashboard.room import RowId, csrf

ROOMS: Final = (
    assets, auth, projects, pages, keywords, ideas, plans, posts, covers, proposals, publications, executions,
    profile, api_keys, targets,
)  # fmt: skip


def init_app(app: Flask, settings: Settings) -> None:
    """Register the face's blueprints and handlers."""
    # Tokens are checked by the dashboard's own rooms; the API has keys instead.
    app.config.update(WTF_CSRF_CHECK_DEFAULT=False, WTF_CSRF_TIME_LIMIT=None)
    csrf.init_app(app)
    auth.login_manager.init_app(app)
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals.update(
        **GLOBALS,
        asset_url=asset_url,
        icon=icon,
        icon_sheet=icon_sheet,
        fresh_key=fresh_key,
        next_actions=next_actions,
        in_plain_words=in_plain_words,
    )
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.url_map.converters["row"] = RowId
    headers.init_app(app, settings)
    errors.init_app(app)
    for room in ROOMS:
        app.register_blueprint(room.blueprint)
