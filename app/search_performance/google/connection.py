"""The connection of a project to Google Search Console: made, given a site, ended.

The refresh token is stored encrypted and leaves the database only in requests to Google. No transaction is
open during these.
"""

from datetime import timedelta
from typing import Final, Literal, NamedTuple

from sqlalchemy import delete, exists, select

from app.accounts import security_log
from app.failures import ServiceFailure, existing, invalid_field
from app.infra.clock import utc_now
from app.infra.crypto import UnreadableSecret, decrypt, encrypt
from app.infra.db import begin_as, changed_rows, db, insert_new, release
from app.infra.http.client import Fetcher, fetcher_from
from app.infra.settings import current_settings
from app.projects.model import Project
from app.search_performance.google import oauth
from app.search_performance.google.api import SearchConsole
from app.search_performance.model import SearchConnection, SearchDay, SearchImport

RESUBMIT_AFTER: Final = timedelta(hours=1)
"""When a fetch is due again if its job does not set the next time."""

CALL_SECONDS: Final = 10.0
"""The longest time that one call may take while a person waits."""

_HIDDEN: Final = ("reading", "read", "replaced")

Ended = Literal["revoked", "shared", "not_revoked"]


def is_offered() -> bool:
    """Return whether the operator has registered this service with Google."""
    return current_settings().reads_google


def connection_of(project_id: int) -> SearchConnection | None:
    """Return a project's connection, None without one or if the service is not registered with Google."""
    if not is_offered():
        return None
    return db.session.scalar(select(SearchConnection).where(SearchConnection.project_id == project_id))


def chosen_connection(project_id: int) -> SearchConnection:
    """Return a project's connection whose site is chosen. Raises SEARCH_CONSOLE_NOT_CONNECTED."""
    connection = _existing_connection(project_id)
    if connection.site_url is None:
        raise ServiceFailure("SEARCH_CONSOLE_NOT_CONNECTED")
    return connection


def connect(project_id: int, code: str, state: str, redirect_uri: str) -> None:
    """Exchange the code of a person's consent and store the access, in place of an earlier one; commits.

    A site that was chosen before stays chosen, and its next fetch is due. Raises a SEARCH_CONSOLE_… failure.
    """
    settings = current_settings()
    release()
    token = oauth.exchange_code(settings, _http(), code, state, redirect_uri)
    begin_as(reader=False)  # Google leads back with a GET
    secret = encrypt(token)
    insert_new(SearchConnection, project_id=project_id, refresh_token=secret)
    connection = db.session.scalars(
        select(SearchConnection).where(SearchConnection.project_id == project_id)
    ).one()
    connection.refresh_token, connection.failure = secret, None
    connection.next_fetch_at = utc_now() if connection.site_url else None
    project = db.session.get_one(Project, project_id)
    security_log.record(project.account_id, "search_connected", project.name)
    db.session.commit()


def list_site_urls(connection: SearchConnection) -> list[str]:
    """Return the sites whose results the connected person may read. Raises a SEARCH_CONSOLE_… failure."""
    token = token_of(connection)
    release()
    return SearchConsole(current_settings(), _http(), token).site_urls()


def choose_site(project_id: int, site_url: str) -> None:
    """Set the site whose results are fetched; commits. What was fetched from another site is deleted.

    Raises SEARCH_CONSOLE_NOT_CONNECTED, INVALID_REQUEST for a site that the person may not read, and
    SEARCH_CONSOLE_… failures.
    """
    if site_url not in list_site_urls(_existing_connection(project_id)):
        raise invalid_field("/site_url", "Choose one of the sites.")
    connection = _existing_connection(project_id)
    if connection.site_url not in (None, site_url):
        _delete_fetched(project_id, "fetched", *_HIDDEN)
        connection.last_day = connection.fetched_at = None
    connection.site_url, connection.failure = site_url, None
    connection.next_fetch_at = utc_now() + RESUBMIT_AFTER
    db.session.commit()


class Access(NamedTuple):
    """What is left to revoke of a connection: its token, None if it cannot be read, and who else uses it."""

    token: str | None
    is_shared: bool


def disconnect(project: Project) -> Ended:
    """Forget a project's access and revoke it at Google; what was fetched stays. Commits.

    Raises SEARCH_CONSOLE_NOT_CONNECTED.
    """
    access = existing(forget(project), "SEARCH_CONSOLE_NOT_CONNECTED")
    security_log.record(project.account_id, "search_disconnected", project.name)
    db.session.commit()
    return revoke(access)


def forget(project: Project) -> Access | None:
    """Delete a project's connection, None without one; does not commit. ``revoke`` it after the commit."""
    connection = connection_of(project.id)
    if connection is None:
        return None
    try:
        token = token_of(connection)
    except ServiceFailure:
        token = None
    other = exists().where(
        SearchConnection.project_id == Project.id,
        Project.account_id == project.account_id,
        Project.id != project.id,
    )
    is_shared = bool(db.session.scalar(select(other)))
    _delete_fetched(project.id, *_HIDDEN)
    db.session.delete(connection)
    return Access(token, is_shared)


def revoke(access: Access) -> Ended:
    """Revoke a forgotten access at Google, after the commit.

    Google would revoke every access that a person gave this service. Therefore nothing is revoked while
    another project of the account is connected.
    """
    release()
    if access.is_shared:
        return "shared"
    is_revoked = access.token is not None and oauth.revoke(current_settings(), _http(), access.token)
    return "revoked" if is_revoked else "not_revoked"


def token_of(connection: SearchConnection) -> str:
    """Return the refresh token of a connection. Raises SEARCH_CONSOLE_AUTH if it can no longer be read."""
    try:
        return decrypt(connection.refresh_token)
    except UnreadableSecret:
        message = "The stored access to Google can no longer be read."
        raise ServiceFailure("SEARCH_CONSOLE_AUTH", message) from None


def _existing_connection(project_id: int) -> SearchConnection:
    return existing(connection_of(project_id), "SEARCH_CONSOLE_NOT_CONNECTED")


def _http() -> Fetcher:
    return fetcher_from(current_settings(), total_seconds=CALL_SECONDS)


def _delete_fetched(project_id: int, *origins: str) -> None:
    own = SearchImport.project_id == project_id
    changed_rows(delete(SearchImport).where(own, SearchImport.origin.in_(origins)))
    if "fetched" in origins:
        changed_rows(delete(SearchDay).where(SearchDay.project_id == project_id))
