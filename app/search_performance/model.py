"""Imported search results of a project, as rows."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.db import Base, BigCount, BigId


class SearchImport(Base):
    """The search results of a project in one period, both days included.

    ``queries`` and ``pages`` count its rows, ``clicks`` and ``impressions`` add up those of its pages, or of
    its queries if it has no pages.
    """

    __tablename__ = "search_imports"
    __table_args__ = (
        UniqueConstraint("project_id", "first_day", "last_day"),
        Index("ix_search_imports_project_latest", "project_id", "last_day", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    first_day: Mapped[date]
    last_day: Mapped[date]
    source: Mapped[str] = mapped_column(String(200))
    queries: Mapped[int] = mapped_column(default=0)
    pages: Mapped[int] = mapped_column(default=0)
    clicks: Mapped[int] = mapped_column(BigCount, default=0)
    impressions: Mapped[int] = mapped_column(BigCount, default=0)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)

    @property
    def days(self) -> int:
        """The length of the period in days."""
        return (self.last_day - self.first_day).days + 1


class Figures:
    """What a search engine counted: the columns that queries and pages have in common.

    ``position`` is the average, None if the file had none.
    """

    clicks: Mapped[int] = mapped_column(BigCount)
    impressions: Mapped[int] = mapped_column(BigCount)
    position: Mapped[float | None]


class SearchQuery(Figures, Base):
    """What people searched for when they were shown the site, with the figures of one import."""

    __tablename__ = "search_queries"
    __table_args__ = (
        UniqueConstraint("import_id", "query"),
        Index("ix_search_queries_import_impressions", "import_id", "impressions", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    import_id: Mapped[int] = mapped_column(ForeignKey("search_imports.id", ondelete="CASCADE"))
    query: Mapped[str] = mapped_column(String(200))


class SearchPage(Figures, Base):
    """A page of the site that people were shown, with the figures of one import."""

    __tablename__ = "search_pages"
    __table_args__ = (
        UniqueConstraint("import_id", "url_key"),
        Index("ix_search_pages_import_impressions", "import_id", "impressions", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    import_id: Mapped[int] = mapped_column(ForeignKey("search_imports.id", ondelete="CASCADE"))
    url: Mapped[str] = mapped_column(String(2048))
    url_key: Mapped[bytes] = mapped_column(LargeBinary(16))
