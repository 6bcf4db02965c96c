"""Publish targets and publications, as rows."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.crypto import Ciphertext
from app.infra.db import Base, BigId
from app.infra.indexes import partial_index

MAYBE_LIVE = ("intent", "sending", "live", "scheduled", "unknown")
"""States in which a publication is, or may be, live at its target."""
LIVE_STATES = ("live", "scheduled")
OPEN_STATES = ("intent", "sending", "unknown")
"""States in which the outcome of a publication is not yet recorded."""
IN_PROGRESS_STATES = ("intent", "sending")

HIDDEN_STATES = ("draft", "unpublished", "failed")
"""States in which a target may have a hidden draft of the post, if the publication has an external id."""

_ACTIVE = text("state NOT IN ('failed', 'unpublished')")
_OPEN = text("state IN ('intent', 'sending', 'unknown')")
_WAITING = text("state = 'waiting'")
TROUBLED = text("(state IN ('failed', 'unknown') OR failure IS NOT NULL OR public_remark IS NOT NULL)")


class PublishTarget(Base):
    """A place a project's posts are published to; ``secret`` is encrypted and never shown again.

    ``is_default`` marks the project's default among several. A removed target stays as part of the history
    of what was published there, without its secret. ``last_check`` is the result of its last test.
    """

    __tablename__ = "publish_targets"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        partial_index("uq_publish_targets_default", text("is_default"), "project_id", unique=True),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(80))
    kind: Mapped[str] = mapped_column(String(20))
    settings: Mapped[dict[str, Any]]
    secret: Mapped[str | None] = mapped_column(Ciphertext)
    is_default: Mapped[bool] = mapped_column(default=False, server_default=false())
    last_check: Mapped[dict[str, Any] | None]
    removed_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)


class Publication(Base):
    """One post at one target, stored before the first call to the target.

    Every call to the target carries ``publication_id``. ``state`` is intent (nothing sent), sending, live,
    scheduled (live there later), draft (hidden there), unknown (the target may have the post), failed (it is
    certainly not live there) or unpublished. ``desired_state`` is what the last job wants: live, draft or
    unpublished. ``slug`` is the one of the first call. ``fingerprint`` identifies the text as this service
    left it at the target, None if the target does not report it. ``existing_id`` is the target's id of a post
    that was there before: it becomes the publication's, and has once there is an ``external_id``.
    ``public_status`` is the HTTP status that a reader got at its address after it went live, None without
    one, and ``public_remark`` what to look at if that was not the post.
    ``override`` records who (``by``) published in spite of which quality ``checks``, when (``at``) and for
    what ``reason``. ``content_sha256`` is the digest of the text that was sent; once the post is live
    (``published_at``), of the text that is live, or empty when that is not known.
    """

    __tablename__ = "publications"
    __table_args__ = (
        partial_index("uq_publications_active", _ACTIVE, "blog_post_id", "target_id", unique=True),
        partial_index("ix_publications_open", _OPEN, "updated_at"),
        partial_index("ix_publications_troubled", TROUBLED, "target_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    blog_post_id: Mapped[int] = mapped_column(ForeignKey("blog_posts.id", ondelete="CASCADE"), index=True)
    target_id: Mapped[int] = mapped_column(ForeignKey("publish_targets.id", ondelete="CASCADE"), index=True)
    job_id: Mapped[int | None] = mapped_column(BigId, index=True)
    publication_id: Mapped[str] = mapped_column(String(40), unique=True)
    state: Mapped[str] = mapped_column(String(12), default="intent")
    external_id: Mapped[str | None] = mapped_column(String(200))
    existing_id: Mapped[str | None] = mapped_column(String(200))
    url: Mapped[str | None] = mapped_column(String(2048))
    slug: Mapped[str] = mapped_column(String(80), default="", server_default="")
    desired_state: Mapped[str] = mapped_column(String(12), default="live", server_default="live")
    content_sha256: Mapped[str] = mapped_column(String(64))
    fingerprint: Mapped[str | None] = mapped_column(String(64))
    public_status: Mapped[int | None]
    public_remark: Mapped[str | None] = mapped_column(String(300))
    failure: Mapped[dict[str, Any] | None]
    override: Mapped[dict[str, Any] | None]
    published_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)


class AbandonedDraft(Base):
    """A hidden draft at a target whose blog post was rolled back, until it is removed there."""

    __tablename__ = "abandoned_drafts"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    target_id: Mapped[int] = mapped_column(ForeignKey("publish_targets.id", ondelete="CASCADE"), index=True)
    publication_id: Mapped[str] = mapped_column(String(40))
    external_id: Mapped[str] = mapped_column(String(200))
    next_try_at: Mapped[datetime] = mapped_column(default=utc_now, index=True)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class ScheduledPublication(Base):
    """A post that is to be published at a target at a time.

    ``state`` is waiting, submitted (its job exists), failed or canceled. ``next_try_at`` is ``publish_at``
    until a try has failed for a reason that passes, and ``tries`` counts these. ``failure`` is that of the
    last try. ``override_reason`` is why it is published in spite of the quality gate.
    """

    __tablename__ = "scheduled_publications"
    __table_args__ = (
        partial_index(
            "uq_scheduled_publications_waiting", _WAITING, "blog_post_id", "target_id", unique=True
        ),
        partial_index("ix_scheduled_publications_due", _WAITING, "next_try_at"),
        Index("ix_scheduled_publications_project_id_publish_at", "project_id", "publish_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    blog_post_id: Mapped[int] = mapped_column(ForeignKey("blog_posts.id", ondelete="CASCADE"), index=True)
    target_id: Mapped[int] = mapped_column(ForeignKey("publish_targets.id", ondelete="CASCADE"), index=True)
    visibility: Mapped[str] = mapped_column(String(5), default="live")
    override_reason: Mapped[str | None] = mapped_column(Text)
    publish_at: Mapped[datetime]
    next_try_at: Mapped[datetime]
    tries: Mapped[int] = mapped_column(default=0)
    state: Mapped[str] = mapped_column(String(10), default="waiting")
    job_id: Mapped[int | None] = mapped_column(BigId, index=True)
    failure: Mapped[dict[str, Any] | None]
    requested_by: Mapped[str] = mapped_column(String(200), default="")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)


class PublishCall(Base):
    """One call to a publish target, for the log of the target.

    ``action`` is find, create, write, unpublish or delete. ``outcome`` is what was found or made (live,
    scheduled, draft, absent, done) or, after a failure with its ``code``, its certainty. ``http_status`` and
    ``answer`` are the target's own, where the failure has them.
    """

    __tablename__ = "publish_calls"
    __table_args__ = (
        Index("ix_publish_calls_target_newest", "target_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    target_id: Mapped[int] = mapped_column(ForeignKey("publish_targets.id", ondelete="CASCADE"))
    publication_id: Mapped[str] = mapped_column(String(40))
    job_id: Mapped[int | None] = mapped_column(BigId)
    action: Mapped[str] = mapped_column(String(10))
    outcome: Mapped[str] = mapped_column(String(13))
    milliseconds: Mapped[int]
    code: Mapped[str | None] = mapped_column(String(40))
    http_status: Mapped[int | None]
    answer: Mapped[str | None] = mapped_column(String(200))
    at: Mapped[datetime] = mapped_column(default=utc_now, index=True)
