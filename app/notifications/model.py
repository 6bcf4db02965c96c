"""Mails that are to be sent or were sent, and the kinds that accounts have turned off, as rows."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.db import Base, BigId

_OPEN = text("state IN ('waiting', 'sending')")
_ASKED_FOR = text("recipient IS NOT NULL")


class Mail(Base):
    """A mail about one event of an account, written in the transaction of the event.

    A mail that somebody asked for by typing an address has a ``recipient`` and no account. ``event`` names
    the event: there is one mail of a kind for it. ``facts`` are what the text is made from. ``state`` is
    waiting, sending (its text may have been sent), sent, skipped (it was no longer needed or wanted), failed,
    or unclear (the server's answer is not known). ``next_try_at`` is when a waiting mail may be claimed; a
    claim moves it on. ``problem`` is why the last attempt failed, without addresses.
    """

    __tablename__ = "mails"
    __table_args__ = (
        UniqueConstraint("account_id", "kind", "event"),
        Index("ix_mails_open", "next_try_at", postgresql_where=_OPEN, sqlite_where=_OPEN),
        Index("ix_mails_created_at", "created_at"),
        Index("ix_mails_recipient", "recipient", postgresql_where=_ASKED_FOR, sqlite_where=_ASKED_FOR),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    recipient: Mapped[str | None] = mapped_column(String(254))
    project_id: Mapped[int | None] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(30))
    event: Mapped[str] = mapped_column(String(60))
    facts: Mapped[dict[str, Any]]
    state: Mapped[str] = mapped_column(String(10), default="waiting")
    attempts: Mapped[int] = mapped_column(default=0)
    next_try_at: Mapped[datetime]
    problem: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now)


class UnwantedMail(Base):
    """A kind of mails that an account has turned off."""

    __tablename__ = "unwanted_mails"

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(30), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
