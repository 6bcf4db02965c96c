"""Projects: create, update, find and list them. A project is one website, unique in its account."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, func, select, update

from app.accounts.limits import project_limit
from app.accounts.model import Account
from app.failures import ServiceFailure, existing
from app.infra.checks import outbound_url
from app.infra.clock import utc_now
from app.infra.db import changed_rows, db, page_of
from app.infra.inputs import load
from app.infra.urls import host_of, readable
from app.projects.inputs import ProjectIn, ProjectPatch
from app.projects.model import Project

# Made once: most requests begin with it.
_OWNED: Final = select(Project).where(
    Project.id == bindparam("project_id"), Project.account_id == bindparam("account_id")
)


def create_project(account: Account, members: Mapping[str, Any]) -> Project:
    """Create a project of an account. Its first sync, or the search for its sitemap, is due at once.

    ``members`` are those of ``ProjectIn``; the name defaults to the host.
    Raises INVALID_REQUEST, URL_NOT_ALLOWED, PROJECT_ALREADY_EXISTS (details.project_id) and LIMIT_REACHED.
    """
    values = _load(ProjectIn, members)
    values["name"] = values.get("name") or readable(host_of(values["url"]))
    project = add_unchecked(account, values | {"next_sync_at": utc_now()})
    db.session.commit()
    return project


def add_unchecked(account: Account, values: Mapping[str, Any]) -> Project:
    """Add a project with these columns, among them a URL that was checked or is never requested.

    The caller commits. Raises PROJECT_ALREADY_EXISTS (details.project_id) and LIMIT_REACHED.
    """
    # One creation at a time per account, so that two cannot pass the checks below together.
    owner = db.session.scalars(
        select(Account).where(Account.id == account.id).with_for_update(key_share=True)
    ).one()
    _refuse_duplicate(owner.id, values["url"])
    _check_limit(owner)
    project = Project(account_id=owner.id, **values)
    db.session.add(project)
    db.session.flush()
    return project


def update_project(project: Project, changes: Mapping[str, Any]) -> Project:
    """Change the given members; None clears a member that may be empty.

    A new sitemap URL makes a sync due at once, None ends the syncs.
    Raises INVALID_REQUEST and URL_NOT_ALLOWED.
    """
    values = _load(ProjectPatch, changes)
    if "sitemap_url" in values and values["sitemap_url"] != project.sitemap_url:
        project.next_sync_at = utc_now() if values["sitemap_url"] else None
    for name, value in values.items():
        setattr(project, name, value)
    db.session.commit()
    return project


def get_project(account_id: int, project_id: int) -> Project:
    """Return a project of the account. Raises PROJECT_NOT_FOUND, also for a project of another account."""
    project = db.session.scalar(_OWNED, {"project_id": project_id, "account_id": account_id})
    return existing(project, "PROJECT_NOT_FOUND")


def find_project(project_id: int) -> Project:
    """Return a project of any account, for operators. Raises PROJECT_NOT_FOUND."""
    return existing(db.session.get(Project, project_id), "PROJECT_NOT_FOUND")


def list_projects(
    account_id: int, page: int, page_size: int, only: int | None = None
) -> tuple[Sequence[Project], int]:
    """Return one page of an account's projects, newest first, and how many there are in all.

    ``only`` is the id of the one project to list.
    """
    statement = select(Project).where(Project.account_id == account_id)
    if only is not None:
        statement = statement.where(Project.id == only)
    newest_first = statement.order_by(Project.created_at.desc(), Project.id.desc())
    return page_of(newest_first, page, page_size)


def count_projects(account_id: int) -> int:
    statement = select(func.count()).select_from(Project).where(Project.account_id == account_id)
    return db.session.scalar(statement) or 0


def schedule_coverage(project_id: int) -> None:
    """Schedule a recount of the keywords that the project's pages and posts target.

    Call it in the transaction that changes a page or post. Nothing is committed here.
    """
    changed_rows(
        update(Project)
        .where(Project.id == project_id)
        # The project itself does not change.
        .values(coverage_due_at=utc_now(), updated_at=Project.updated_at)
    )


def _refuse_duplicate(account_id: int, url: str) -> None:
    existing = db.session.scalar(
        select(Project.id).where(Project.account_id == account_id, Project.url == url)
    )
    if existing is not None:
        db.session.rollback()
        raise ServiceFailure("PROJECT_ALREADY_EXISTS", details={"project_id": existing})


def _check_limit(account: Account) -> None:
    limit = project_limit(account)
    if limit is not None and count_projects(account.id) >= limit:
        db.session.rollback()
        raise ServiceFailure(
            "LIMIT_REACHED", f"The account may have {limit} projects.", details={"project_limit": limit}
        )


def _load(schema: type[ProjectPatch], members: Mapping[str, Any]) -> dict[str, Any]:
    values = load(schema, members)
    for name in ("url", "sitemap_url"):
        if values.get(name):
            values[name] = outbound_url(values[name], f"/{name}")
    return values
