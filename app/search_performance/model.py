"""Search results of a project, from files and from Google Search Console, as rows."""

from datetime import date, datetime
from typing import Any, Final, Literal

from sqlalchemy import ForeignKey, Index, LargeBinary, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.crypto import Ciphertext
from app.infra.db import Base, BigCount, BigId

Origin = Literal["file", "reading", "read", "fetched", "replaced"]
SHOWN: Final = ("file", "fetched")
"""The origins of search results that people see."""

_DUE: Final = text("next_fetch_at IS NOT NULL")


class SearchImport(Base):
    """The search results of a project in one period, both days included.

    ``origin`` is file, or fetched for what came from Google Search Console. While a job fetches, its results
    are reading and then read: they are shown once the job has all of them, and those of the last fetch are
    replaced, which the next job deletes. ``queries`` and ``pages`` count its rows, ``clicks`` and
    ``impressions`` add up its days if it was fetched, else its pages, or its queries if it has no pages.
    """

    __tablename__ = "search_imports"
    __table_args__ = (
        UniqueConstraint("project_id", "first_day", "last_day", "origin"),
        Index("ix_search_imports_project_latest", "project_id", "last_day", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    first_day: Mapped[date]
    last_day: Mapped[date]
    origin: Mapped[Origin] = mapped_column(String(10), default="file", server_default="file")
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


class SearchDay(Figures, Base):
    """What Google counted for the whole site on one day."""

    __tablename__ = "search_days"
    __table_args__ = (
        UniqueConstraint("project_id", "day"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    day: Mapped[date]


class SearchConnection(Base):
    """A project's access to Google Search Console.

    ``refresh_token`` is encrypted and never shown. ``site_url`` is the site there whose results are fetched,
    None until it is chosen. ``next_fetch_at`` is when the next fetch is due, None if none is. ``failure`` is
    why the last fetch failed, None after a success. ``last_day`` is the last day that was fetched.
    """

    __tablename__ = "search_connections"
    __table_args__ = (
        UniqueConstraint("project_id"),
        Index("ix_search_connections_due", "next_fetch_at", postgresql_where=_DUE, sqlite_where=_DUE),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    refresh_token: Mapped[str] = mapped_column(Ciphertext)
    site_url: Mapped[str | None] = mapped_column(String(500))
    last_day: Mapped[date | None]
    fetched_at: Mapped[datetime | None]
    next_fetch_at: Mapped[datetime | None]
    failure: Mapped[dict[str, Any] | None]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)
