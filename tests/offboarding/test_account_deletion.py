"""The deletion of an account: everything of it leaves the database, and nothing else does."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from app.accounts import keys, links, service
from app.accounts.model import Account, AccountLink
from app.executions.model import ExecutionJob
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import Base, db
from app.notifications import outbox
from app.notifications.kinds import SIGN_UP
from app.notifications.model import Mail
from app.offboarding import deletion
from app.offboarding.blocking import unblock
from app.offboarding.ownership import rows_of_account, rows_of_project
from app.projects.model import Project
from tests.support.filled import rows
from tests.support.plans import listening
from tests.support.populated import populate
from tests.support.publishing import alice_project, job_of

pytestmark = pytest.mark.usefixtures("db_app")

SMALL = {"pages": 3, "page_contents": 3, "blog_posts": 3}
LARGE = {
    "projects": 3, "pages": 10_000, "page_contents": 10_000, "sitemap_sync_changes": 10_000,
    "blog_posts": 500, "blog_post_versions": 1_500, "blog_post_pages": 2_500, "blog_post_covers": 500,
    "publish_targets": 2, "publications": 20, "keywords": 2_000, "execution_jobs": 1_200,
    "job_history": 5_000, "search_imports": 3, "search_queries": 5_000, "mails": 100, "autopilots": 3,
}  # fmt: skip
UNOWNED = {"site_backoffs"}
"""How sites that answer slowly are spared: by the site's address, for all accounts together."""


def due(account_id: int) -> None:
    """Ask for the deletion of an account, and let its pause be over."""
    deletion.ask_for_deletion(service.get_account(account_id))
    past = utc_now() - deletion.PAUSE
    db.session.execute(update(Account).where(Account.id == account_id).values(deletion_asked_at=past))
    db.session.commit()


@pytest.mark.parametrize("counts", [SMALL, pytest.param(LARGE, marks=pytest.mark.thorough)])
def test_every_row_of_the_account_goes_and_every_row_of_the_other_stays(
    db_app: Flask, counts: dict[str, int]
) -> None:
    populate(1, "yqx", counts)
    with db.engine.connect() as connection:
        others = rows(connection)
    made = populate(2, "zqx", counts)
    due(made["accounts"][0]["id"])
    assert deletion.delete_due_accounts() == 1
    db.session.remove()
    with db.engine.connect() as connection:
        left = rows(connection)
    for table in sorted(left):
        kept = [row for row in left[table] if table not in UNOWNED or "zqx" not in str(row)]
        assert kept == others[table], table


def test_every_table_belongs_to_accounts_or_to_nobody(db_app: Flask) -> None:
    account = service.sign_up("alice@example.com", "correct horse battery")
    owned = {rows.table.name for rows in (*rows_of_project(1), *rows_of_account(account))}
    assert set(Base.metadata.tables) - owned == UNOWNED


def test_no_transaction_deletes_more_than_its_share(db_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deletion, "AT_ONCE", 10)
    made = populate(1, "zqx", {"pages": 25, "page_contents": 25})
    due(made["accounts"][0]["id"])
    with listening(db.engine) as heard:
        deletion.delete_due_accounts()
    of_pages = [text for text, _ in heard if text.startswith("DELETE FROM pages")]
    assert len(of_pages) == 3
    assert all("LIMIT" in text for text, _ in heard if text.startswith("DELETE FROM"))


def test_a_deletion_that_ran_out_of_time_goes_on_the_next_time(db_app: Flask) -> None:
    made = populate(1, "zqx", SMALL)
    due(made["accounts"][0]["id"])
    assert deletion.delete_due_accounts(seconds=0) == 0
    assert db.session.scalar(select(func.count()).select_from(Project)) == 1
    assert deletion.delete_due_accounts() == 1


def test_a_job_that_began_while_the_account_was_closed_is_canceled_before_anything_is_deleted() -> None:
    project = alice_project()
    account_id = project.account_id
    due(account_id)
    job_id = job_of(project, "queued")
    assert deletion.delete_due_accounts(seconds=0) == 0
    assert db.session.get_one(ExecutionJob, job_id, populate_existing=True).status == "canceled"


def test_an_account_is_closed_at_once_and_deleted_after_a_minute(db_app: Flask) -> None:
    account = service.sign_up("alice@example.com", "correct horse battery")
    deletion.ask_for_deletion(account)
    assert service.authenticate("alice@example.com", "correct horse battery") is None
    with pytest.raises(ServiceFailure, match="being deleted"):
        unblock(account)
    assert deletion.delete_due_accounts() == 0
    due(service.get_account(1).id)
    assert deletion.delete_due_accounts() == 1
    assert service.find_account("alice@example.com") is None


def test_asking_again_neither_delays_a_deletion_nor_begins_it_anew(db_app: Flask) -> None:
    account = service.sign_up("alice@example.com", "correct horse battery")
    due(account.id)
    first = account.deletion_asked_at
    deletion.ask_for_deletion(account)
    assert account.deletion_asked_at == first
    assert deletion.delete_due_accounts() == 1


def test_keys_that_no_longer_work_are_no_loss(db_app: Flask) -> None:
    account = service.sign_up("alice@example.com", "correct horse battery")
    keys.revoke_key(account, keys.create_key(account, "former")[0].id)
    keys.create_key(account, "ci")
    keys.create_key(service.sign_up("bob@example.com", "correct horse battery"), "bob's")
    assert deletion.losses_of_account(account).api_keys == 1


def test_what_was_sent_to_the_address_without_an_account_goes_too(db_app: Flask) -> None:
    account = service.sign_up("alice@example.com", "correct horse battery")
    for email in ("alice@example.com", "bob@example.com"):
        outbox.write_to(SIGN_UP, email)
        links.begin(email, utc_now())
    due(account.id)
    assert deletion.delete_due_accounts() == 1
    assert db.session.scalars(select(Mail.recipient)).all() == ["bob@example.com"]
    assert db.session.scalars(select(AccountLink.email)).all() == ["bob@example.com"]


def test_an_account_that_nobody_wants_deleted_stays(db_app: Flask) -> None:
    populate(1, "zqx", SMALL)
    assert deletion.delete_due_accounts() == 0
    assert db.session.scalar(select(func.count()).select_from(Account)) == 1
