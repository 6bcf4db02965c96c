"""Alice's project with a post and a webhook, and a real mail server that the service sends by."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.infra.db import database_now, db
from app.notifications.model import Mail
from tests.support.mail_server import MailServer
from tests.support.publishing import Receiver, alice_project, post_of
from tests.support.scheduling import Planned
from tests.support.servers import SiteServer


@pytest.fixture
def settings_overrides(site: SiteServer, mail_server: MailServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address, **mail_server.settings()}


@pytest.fixture
def planned(db_app: Flask, site: SiteServer) -> Iterator[Planned]:
    """A post of Alice that can be scheduled for publishing at a webhook."""
    project, receiver = alice_project(), Receiver(site)
    target_id = receiver.add_to(project).id
    yield Planned(post_of(project).id, target_id, receiver)
    db.session.remove()


def mails() -> list[Mail]:
    """The mails of the outbox, as the database has them."""
    db.session.rollback()
    return list(db.session.scalars(select(Mail).order_by(Mail.id).execution_options(populate_existing=True)))


def states() -> list[str]:
    return [mail.state for mail in mails()]


def due_again() -> None:
    """Let the pauses of all mails be over."""
    db.session.execute(update(Mail).values(next_try_at=database_now(-1)))
    db.session.commit()
