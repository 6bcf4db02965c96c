"""Keywords, as rows."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ForeignKey, Index, Numeric, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.db import Base, BigId


class Keyword(Base):
    """A search phrase of a project, unique there; metrics are None unless the caller supplied them.

    ``covered_pages`` and ``covered_posts`` count the fresh pages and posts that target it; ``coverage_state``
    is one of coverage.STATES, None until it is counted, and ``competing`` has the competing pages and posts.
    """

    __tablename__ = "keywords"
    __table_args__ = (
        UniqueConstraint("project_id", "keyword_text"),
        Index("ix_keywords_project_newest", "project_id", "created_at", "id"),
        Index("ix_keywords_project_state", "project_id", "coverage_state", "created_at", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    keyword_text: Mapped[str] = mapped_column(String(80))
    in_use: Mapped[bool] = mapped_column(default=True)
    volume: Mapped[int | None]
    difficulty: Mapped[int | None]
    cpc_value: Mapped[Decimal | None] = mapped_column(Numeric(10, 2))
    cpc_currency: Mapped[str | None] = mapped_column(String(3))
    country: Mapped[str | None] = mapped_column(String(2))
    data_source: Mapped[str | None] = mapped_column(String(80))
    covered_pages: Mapped[int] = mapped_column(default=0)
    covered_posts: Mapped[int] = mapped_column(default=0)
    coverage_state: Mapped[str | None] = mapped_column(String(9))
    competing: Mapped[dict[str, Any] | None]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)


class KeywordRemoval(Base):
    """Keywords that a person removed, as they were, so that the removal can be undone for a day."""

    __tablename__ = "keyword_removals"
    __table_args__ = (
        Index("ix_keyword_removals_project", "project_id", "created_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    keywords: Mapped[list[Any]]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
