"""Accounts, their sessions, links and API keys, as rows."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, LargeBinary, String, text
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.crypto import Ciphertext
from app.infra.db import Base, BigCount, BigId
from app.infra.indexes import partial_index


class Account(Base):
    """A customer: signs in to the dashboard and owns projects. Blocked if it is not ``active``.

    ``time_zone`` is the IANA name of the zone in which times are shown, None for that of the browser.
    """

    __tablename__ = "accounts"
    __table_args__ = (
        partial_index("ix_accounts_going", text("deletion_asked_at IS NOT NULL"), "deletion_asked_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    name: Mapped[str] = mapped_column(String(120), default="")
    password_hash: Mapped[str] = mapped_column(String(200))
    active: Mapped[bool] = mapped_column(default=True)
    project_limit: Mapped[int | None]
    monthly_post_limit: Mapped[int | None]
    time_zone: Mapped[str | None] = mapped_column(String(64))
    deletion_asked_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)

    # Attributes that Flask-Login requires; its own mixin is untyped.
    is_authenticated = True
    is_anonymous = False

    @property
    def is_active(self) -> bool:
        """Whether Flask-Login lets this account sign in."""
        return self.active


class AccountSession(Base):
    """A browser that is signed in: only the digest of its token is stored.

    ``stays`` means that it ends at ``expires_at`` only, however long it is not used.
    """

    __tablename__ = "sessions"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    stays: Mapped[bool]
    user_agent: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime]
    last_seen_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)


class SecondFactor(Base):
    """The secret from which an account's one-time codes are computed, encrypted.

    It counts from ``confirmed_at`` on. ``last_step`` is the time of the last code that was used, in steps of
    30 seconds: none is good twice.
    """

    __tablename__ = "second_factors"

    account_id: Mapped[int] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    secret: Mapped[str] = mapped_column(Ciphertext)
    confirmed_at: Mapped[datetime | None]
    last_step: Mapped[int] = mapped_column(BigCount, default=0)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class RecoveryCode(Base):
    """A code that signs in once without the second factor: only its hash is stored."""

    __tablename__ = "recovery_codes"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    code_hash: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class AccountLink(Base):
    """A link to choose a password with, sent to ``email``: only the digest of its token is stored.

    ``account_id`` is the account whose password is forgotten, or null if an account is to be created.
    """

    __tablename__ = "account_links"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    email: Mapped[str] = mapped_column(String(254), index=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[datetime] = mapped_column(index=True)


class ApiKey(Base):
    """A key of the Public API: only its keyed digest is stored, with a prefix to recognize it.

    ``scopes`` are the nouns that it is limited to, ``project_id`` the project; None for no limit. After the
    key was rolled, its former text works until ``former_expires_at``.
    """

    __tablename__ = "api_keys"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    prefix: Mapped[str] = mapped_column(String(16))
    digest: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    can_write: Mapped[bool] = mapped_column(default=True)
    scopes: Mapped[list[Any] | None]
    project_id: Mapped[int | None] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    former_digest: Mapped[bytes | None] = mapped_column(LargeBinary(32), unique=True)
    former_expires_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class SecurityEvent(Base):
    """What happened to an account. ``via`` is through what, ``address`` from which IP address.

    ``account_id`` is None for a sign-in that failed because there is no account.
    """

    __tablename__ = "security_events"
    __table_args__ = (
        Index("ix_security_events_account_id_id", "account_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(default=utc_now, index=True)
    kind: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(String(200), default="")
    via: Mapped[str] = mapped_column(String(120))
    address: Mapped[str | None] = mapped_column(String(45))
