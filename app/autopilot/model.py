"""Autopilots and their runs, as rows."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.db import Base, BigId

OPEN_STATES = ("writing", "publishing")
_OPEN = text("state IN ('writing', 'publishing')")


class Autopilot(Base):
    """When and how a project's posts are written by themselves.

    One post on each of ``weekdays`` (0 is Monday) at ``hour`` o'clock of ``time_zone``. ``mode`` is write
    (keep it here as a draft), draft (hidden at the target) or live. ``next_run_at`` is None while it is off
    or paused; ``failures`` counts failed runs in a row, and ``paused_reason`` says why it has paused itself.
    """

    __tablename__ = "autopilots"

    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    weekdays: Mapped[list[Any]]
    hour: Mapped[int]
    time_zone: Mapped[str] = mapped_column(String(64))
    mode: Mapped[str] = mapped_column(String(5), default="write")
    target_id: Mapped[int | None] = mapped_column(
        ForeignKey("publish_targets.id", ondelete="SET NULL"), index=True
    )
    enabled: Mapped[bool] = mapped_column(default=False)
    next_run_at: Mapped[datetime | None] = mapped_column(index=True)
    failures: Mapped[int] = mapped_column(default=0)
    paused_reason: Mapped[str | None] = mapped_column(Text)
    requested_by: Mapped[str] = mapped_column(String(200), default="")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)

    @property
    def state(self) -> str:
        """Whether it is on, off, or has paused itself."""
        if not self.enabled:
            return "off"
        return "paused" if self.paused_reason else "on"


class AutopilotRun(Base):
    """One post that an autopilot was to make at ``due_at``, and what became of it.

    ``state`` is writing, publishing, done, failed or missed (the service was down at the time).
    """

    __tablename__ = "autopilot_runs"
    __table_args__ = (
        UniqueConstraint("project_id", "due_at"),
        Index("ix_autopilot_runs_open", "id", postgresql_where=_OPEN, sqlite_where=_OPEN),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    due_at: Mapped[datetime]
    subject: Mapped[str] = mapped_column(String(200), default="")
    mode: Mapped[str] = mapped_column(String(5))
    target_id: Mapped[int | None] = mapped_column(BigId)
    state: Mapped[str] = mapped_column(String(10))
    job_id: Mapped[int | None] = mapped_column(BigId)
    publish_job_id: Mapped[int | None] = mapped_column(BigId)
    failure: Mapped[dict[str, Any] | None]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)
