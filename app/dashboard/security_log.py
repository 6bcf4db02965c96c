"""The security log of the account: sign-ins, passwords, keys, connections and deletions."""

from collections.abc import Mapping
from typing import Final

from flask import render_template

from app.accounts import security_log
from app.accounts.model import SecurityEvent
from app.dashboard.auth import signed_in
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.browser_names import browser_name
from app.dashboard.ui.query import PAGE_SIZE, Pager, query_page

blueprint = dashboard_blueprint("security_log", "/settings/security-log")

WORDS: Final[Mapping[str, str]] = {
    "account_created": "Account created",
    "signed_in": "Signed in",
    "sign_in_failed": "Sign-in failed: wrong password",
    "signed_out": "Signed out",
    "session_revoked": "A browser was signed out",
    "other_sessions_revoked": "All other browsers were signed out",
    "password_changed": "Password changed",
    "second_factor_on": "Second factor turned on",
    "second_factor_off": "Second factor turned off",
    "recovery_codes_made": "New recovery codes",
    "account_blocked": "Account blocked",
    "account_unblocked": "Account let in again",
    "key_created": "API key created",
    "key_rolled": "API key rolled",
    "key_revoked": "API key revoked",
    "target_added": "Blog connection added",
    "target_changed": "Blog connection changed",
    "target_removed": "Blog connection removed",
    "target_secret_renewed": "Secret of a blog connection renewed",
    "search_connected": "Google Search Console connected",
    "search_disconnected": "Google Search Console disconnected",
    "project_removed": "Project removed",
    "posts_removed": "Drafts deleted",
    "keywords_removed": "Keywords deleted",
}


@blueprint.get("")
def index() -> str:
    page = query_page()
    events, total = security_log.list_events(signed_in(), page, PAGE_SIZE)
    shown = [(event, _subject(event)) for event in events]
    return render_template("settings/security_log.html", events=shown, words=WORDS, pager=Pager(page, total))


def _subject(event: SecurityEvent) -> str:
    return browser_name(event.subject) if event.kind == "signed_in" else event.subject
