"""Execution jobs, their history and their idempotency keys, as rows."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.db import Base, BigId
from app.infra.indexes import partial_index

_QUEUED = text("status = 'queued'")
_RUNNING = text("status = 'running'")
_SUCCEEDED = text("status = 'succeeded'")
FAILED = text("status = 'failed'")
_RETRIES = text("retry_of IS NOT NULL")
_UNPRUNED = text("pruned_at IS NULL AND completed_at IS NOT NULL")
_WITH_ARTEFACTS = text("artefacts IS NOT NULL")
_QUEUED_SYNC = text("status = 'queued' AND operation = 'SYNC_SITEMAP'")
_RUNNING_SYNC = text("status = 'running' AND operation = 'SYNC_SITEMAP'")
_QUEUED_FETCH = text("status = 'queued' AND operation = 'IMPORT_SEARCH_PERFORMANCE'")
_RUNNING_FETCH = text("status = 'running' AND operation = 'IMPORT_SEARCH_PERFORMANCE'")
_SEARCHED = ("project_id", "operation", "status", "subject", "post_id")
"""What lists of jobs are narrowed by: an index has all of it, because rows of jobs are large."""


class ExecutionJob(Base):
    """An asynchronous operation on a project. Its status changes only in executions/transitions.

    ``fence`` grows with each claim: a worker may write only while the fence is its own. ``lease_until`` is
    when a running job may be taken from a silent worker, ``available_at`` when a queued one may be claimed,
    ``enqueued_at`` when it was last put on the queue, ``pruned_at`` when retention removed its details.
    ``subject``, for searches, and ``post_id`` are what the job is about (see executions/subjects).
    ``seconds`` is how long its last attempt took, 0 until it has ended. ``artefacts``, which are large, are
    read only where they are asked for.
    """

    __tablename__ = "execution_jobs"
    __table_args__ = (
        Index("ix_execution_jobs_account_search", "account_id", "id", *_SEARCHED),
        Index("ix_execution_jobs_account_longest", "account_id", "seconds", "id"),
        Index("ix_execution_jobs_project_newest", "project_id", "id"),
        Index("ix_execution_jobs_project_operation", "project_id", "operation", "id"),
        partial_index("ix_execution_jobs_account_done", _SUCCEEDED, "account_id", "operation", "created_at"),
        partial_index("ix_execution_jobs_queued", _QUEUED, "available_at"),
        partial_index("ix_execution_jobs_lines", _QUEUED, "account_id", "operation", "available_at", "id"),
        partial_index("ix_execution_jobs_running", _RUNNING, "lease_until"),
        partial_index("ix_execution_jobs_failed", FAILED, "project_id", "completed_at"),
        partial_index("ix_execution_jobs_retries", _RETRIES, "retry_of"),
        partial_index("ix_execution_jobs_unpruned", _UNPRUNED, "completed_at"),
        partial_index("ix_execution_jobs_artefacts", _WITH_ARTEFACTS, "completed_at"),
        partial_index("uq_execution_jobs_queued_sync", _QUEUED_SYNC, "project_id", unique=True),
        partial_index("uq_execution_jobs_running_sync", _RUNNING_SYNC, "project_id", unique=True),
        partial_index("uq_execution_jobs_queued_fetch", _QUEUED_FETCH, "project_id", unique=True),
        partial_index("uq_execution_jobs_running_fetch", _RUNNING_FETCH, "project_id", unique=True),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    operation: Mapped[str] = mapped_column(String(40))
    status: Mapped[str] = mapped_column(String(10), default="queued")
    idempotency_key: Mapped[str | None] = mapped_column(String(255))
    payload: Mapped[dict[str, Any]]
    subject: Mapped[str] = mapped_column(String(200), default="", server_default="")
    post_id: Mapped[int | None] = mapped_column(BigId)
    seconds: Mapped[float] = mapped_column(default=0.0, server_default="0")
    result: Mapped[dict[str, Any] | None]
    progress: Mapped[dict[str, Any] | None]
    artefacts: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    failure: Mapped[dict[str, Any] | None]
    attempt: Mapped[int] = mapped_column(default=0)
    fence: Mapped[int] = mapped_column(default=0)
    lease_until: Mapped[datetime | None]
    available_at: Mapped[datetime]
    enqueued_at: Mapped[datetime | None]
    retry_of: Mapped[int | None] = mapped_column(BigId)
    requested_by: Mapped[str] = mapped_column(String(200), default="")
    request_id: Mapped[str | None] = mapped_column(String(64))
    rollback_state: Mapped[str | None] = mapped_column(String(12))
    rollback_executed_at: Mapped[datetime | None]
    rollback_failure: Mapped[dict[str, Any] | None]
    reverted_blog_post_id: Mapped[int | None] = mapped_column(BigId)
    queued_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    completed_at: Mapped[datetime | None]
    canceled_at: Mapped[datetime | None]
    pruned_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class JobHistory(Base):
    """One entry of a job's history, written with the change it records. Only retention changes it later."""

    __tablename__ = "job_history"
    __table_args__ = (
        Index("ix_job_history_job", "job_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    job_id: Mapped[int] = mapped_column(ForeignKey("execution_jobs.id", ondelete="CASCADE"))
    at: Mapped[datetime]
    event: Mapped[str] = mapped_column(String(32))
    status: Mapped[str] = mapped_column(String(10))
    details: Mapped[dict[str, Any] | None]


class IdempotencyKey(Base):
    """The job that a caller's key made. ``scope`` is create:<project>, generate:<project> or retry:<job>."""

    __tablename__ = "idempotency_keys"
    __table_args__ = (
        UniqueConstraint("account_id", "scope", "key"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    scope: Mapped[str] = mapped_column(String(60))
    key: Mapped[str] = mapped_column(String(255))
    fingerprint: Mapped[str] = mapped_column(String(64))
    job_id: Mapped[int] = mapped_column(ForeignKey("execution_jobs.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
