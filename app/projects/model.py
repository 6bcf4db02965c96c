"""A project: one website, its product, the defaults of its posts and the state of its sitemap."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.db import Base, BigId
from app.infra.indexes import partial_index


class Project(Base):
    """A website of an account.

    ``url`` is normalised and unique in the account. ``global_instructions``, ``avoid`` and ``call_to_action``
    ({text, url}) are the defaults of its posts. ``llm_model`` and ``llm_verify_model`` replace the models of
    the settings, ``brand_color`` (#rrggbb) colours generated covers, ``list_sources`` adds a list of sources
    to posts. ``next_sync_at`` is when the next SYNC_SITEMAP job is due; ``sync_status`` is never, ok, partial
    or failed. pages.page_counts updates the counts of its pages and ``newest_page_at``.
    """

    __tablename__ = "projects"
    __table_args__ = (
        UniqueConstraint("account_id", "url", name="uq_projects_account_id_identity"),
        Index("ix_projects_due_sync", "next_sync_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(200))
    url: Mapped[str] = mapped_column(String(2048))
    sitemap_url: Mapped[str | None] = mapped_column(String(2048))
    language: Mapped[str | None] = mapped_column(String(35))
    location: Mapped[str | None] = mapped_column(String(200))
    type: Mapped[str | None] = mapped_column(String(80))
    summary: Mapped[str | None] = mapped_column(Text)
    blog_theme: Mapped[str | None] = mapped_column(Text)
    key_features: Mapped[str | None] = mapped_column(Text)
    target_audience_summary: Mapped[str | None] = mapped_column(Text)
    pain_points: Mapped[str | None] = mapped_column(Text)
    product_usage: Mapped[str | None] = mapped_column(Text)
    founders: Mapped[str | None] = mapped_column(Text)
    links: Mapped[str | None] = mapped_column(Text)
    tone: Mapped[str | None] = mapped_column(String(20))
    global_instructions: Mapped[str | None] = mapped_column(Text)
    avoid: Mapped[list[Any]] = mapped_column(default=list)
    call_to_action: Mapped[dict[str, Any] | None]
    llm_model: Mapped[str | None] = mapped_column(String(150))
    llm_verify_model: Mapped[str | None] = mapped_column(String(150))
    brand_color: Mapped[str | None] = mapped_column(String(7))
    list_sources: Mapped[bool] = mapped_column(default=False, server_default=false())
    sync_status: Mapped[str] = mapped_column(String(10), default="never")
    last_synced_at: Mapped[datetime | None]
    next_sync_at: Mapped[datetime | None]
    last_sync_error: Mapped[dict[str, Any] | None]
    coverage_due_at: Mapped[datetime | None] = mapped_column(index=True)
    page_count: Mapped[int] = mapped_column(default=0)
    stale_page_count: Mapped[int] = mapped_column(default=0)
    newest_page_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)

    @property
    def fresh_page_count(self) -> int:
        """Pages that are not stale."""
        return self.page_count - self.stale_page_count


class SavedFilter(Base):
    """The search, filter and order of a list, under a name of one person.

    ``list_name`` says which list; ``query`` is the query string that shows it so. ``project_id`` is null for
    a list of all projects.
    """

    __tablename__ = "saved_filters"
    __table_args__ = (
        UniqueConstraint("account_id", "project_id", "list_name", "name"),
        Index("ix_saved_filters_project_id", "project_id"),
        partial_index(
            "ix_saved_filters_account_list",
            text("project_id IS NULL"),
            "account_id",
            "list_name",
            "name",
            unique=True,
        ),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    project_id: Mapped[int | None] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    list_name: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(String(40))
    query: Mapped[str] = mapped_column(String(500))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
