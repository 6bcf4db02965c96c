"""Pages, what was read on them, and the history of sitemap syncs, as rows."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Computed,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.db import Base, BigCount, BigId

READ_RANK: Final = (
    "CASE WHEN always_use THEN 0 ELSE 2 END"
    " + CASE WHEN fetched_at IS NULL OR lastmod > fetched_at THEN 0 ELSE 1 END"
)

_USED: Final = (
    "{fresh} AND {indexed} AND (canonical_url IS NULL OR canonical_url = url) AND fetch_error IS NULL"
    " AND (word_count > 0 OR fetched_at IS NULL AND word_count IS NULL)"
)
"""What usable.choosable says, as an index needs it."""

_USED_SQLITE: Final = _USED.format(fresh="is_stale = 0", indexed="noindex = 0")
_USED_POSTGRESQL: Final = _USED.format(fresh="NOT is_stale", indexed="NOT noindex")


class Page(Base):
    """A URL of the project's "Your Pages" list; a sync never deletes one.

    ``url_key`` is the 16-byte digest of the normalised URL. ``read_due_at`` is when the page is to be read
    next, None for one whose text was supplied. ``word_count`` is that of its text: None while there is none,
    0 if it holds no words.

    The database computes ``read_rank``, the order in which due pages are read: 0 for a page that is always
    used and new or changed, 1 for another that is always used, 2 for one that is new or changed (never read,
    or with a lastmod after its last reading), 3 for one that is only looked at again.
    """

    __tablename__ = "pages"
    __table_args__ = (
        UniqueConstraint("project_id", "url_key"),
        Index("ix_pages_project_newest", "project_id", "created_at", "id"),
        Index("ix_pages_project_stale", "project_id", "created_at", "id",
              postgresql_where=text("is_stale"), sqlite_where=text("is_stale = 1")),
        Index("ix_pages_project_unused", "project_id", "created_at", "id",
              postgresql_where=text(f"NOT is_stale AND ({_USED_POSTGRESQL}) IS NOT TRUE"),
              sqlite_where=text(f"is_stale = 0 AND ({_USED_SQLITE}) IS NOT 1")),
        Index("ix_pages_project_unreadable", "project_id", "created_at", "id",
              postgresql_where=text("NOT is_stale AND fetch_error IS NOT NULL"),
              sqlite_where=text("is_stale = 0 AND fetch_error IS NOT NULL")),
        Index("ix_pages_with_text", "project_id", "always_use", "id",
              postgresql_where=text("word_count IS NOT NULL"), sqlite_where=text("word_count IS NOT NULL")),
        Index("ix_pages_read_queue", "project_id", "read_rank", "read_due_at", "id",
              postgresql_where=text("read_due_at IS NOT NULL AND NOT is_stale"),
              sqlite_where=text("read_due_at IS NOT NULL AND is_stale = 0")),
        {"sqlite_autoincrement": True},
    )  # fmt: skip

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    url: Mapped[str] = mapped_column(String(2048))
    url_key: Mapped[bytes] = mapped_column(LargeBinary(16))
    source: Mapped[str] = mapped_column(String(10))
    in_sitemap: Mapped[bool] = mapped_column(default=False)
    always_use: Mapped[bool] = mapped_column(default=False)
    type: Mapped[str | None] = mapped_column(String(40))
    title: Mapped[str | None] = mapped_column(String(500))
    description: Mapped[str | None] = mapped_column(Text)
    summary: Mapped[str | None] = mapped_column(Text)
    word_count: Mapped[int | None]
    language: Mapped[str | None] = mapped_column(String(35))
    is_stale: Mapped[bool] = mapped_column(default=False)
    stale_since: Mapped[datetime | None]
    first_seen_at: Mapped[datetime] = mapped_column(default=utc_now)
    last_seen_at: Mapped[datetime | None]
    lastmod: Mapped[datetime | None]
    fetched_at: Mapped[datetime | None]
    fetch_error: Mapped[dict[str, Any] | None]
    noindex: Mapped[bool] = mapped_column(default=False)
    canonical_url: Mapped[str | None] = mapped_column(String(2048))
    read_due_at: Mapped[datetime | None]
    read_attempts: Mapped[int] = mapped_column(default=0)
    read_rank: Mapped[int] = mapped_column(SmallInteger, Computed(READ_RANK, persisted=True))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)


class PageContent(Base):
    """What was read on a page: its text blocks with heading paths, kept apart so that lists stay light.

    ``words`` and ``headings`` are what a search looks at instead (vocabulary); of what was read before there
    were any they are None until the first search. ``etag`` and ``last_modified`` ask for the page's changes
    next time.
    """

    __tablename__ = "page_contents"

    page_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("pages.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    blocks: Mapped[list[Any]]
    content_hash: Mapped[str] = mapped_column(String(64))
    words: Mapped[str | None] = mapped_column(Text)
    headings: Mapped[str | None] = mapped_column(Text)
    etag: Mapped[str | None] = mapped_column(String(500))
    last_modified: Mapped[str | None] = mapped_column(String(60))


class SitemapSync(Base):
    """One sync of a sitemap: what it found and changed.

    ``state`` is ok, partial, held or failed; or confirmed, for a held loss that a person confirmed.
    ``bytes`` were read of documents that were sent, their Content-Encoding undone and their gzip not.
    ``children`` counts the documents below the first, ``not_modified`` all that were answered by 304.
    """

    __tablename__ = "sitemap_syncs"
    __table_args__ = (
        Index("ix_sitemap_syncs_project_newest", "project_id", "id"),
        Index("ix_sitemap_syncs_at", "at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    job_id: Mapped[int | None] = mapped_column(BigId, unique=True)
    sitemap_url: Mapped[str] = mapped_column(String(2048))
    state: Mapped[str] = mapped_column(String(10))
    complete: Mapped[bool]
    found: Mapped[int] = mapped_column(default=0)
    new: Mapped[int] = mapped_column(default=0)
    returned: Mapped[int] = mapped_column(default=0)
    stale: Mapped[int] = mapped_column(default=0)
    unchanged: Mapped[int] = mapped_column(default=0)
    missing: Mapped[int] = mapped_column(default=0)
    invalid: Mapped[int] = mapped_column(default=0)
    duplicates: Mapped[int] = mapped_column(default=0)
    foreign: Mapped[int] = mapped_column(default=0)
    bytes: Mapped[int] = mapped_column(BigCount, default=0)
    children: Mapped[int] = mapped_column(default=0)
    not_modified: Mapped[int] = mapped_column(default=0)
    problems: Mapped[list[Any]]
    failure: Mapped[dict[str, Any] | None]
    duration_ms: Mapped[int] = mapped_column(default=0)
    at: Mapped[datetime] = mapped_column(default=utc_now)


class SitemapSyncChange(Base):
    """One page that a sync changed; ``kind`` is returned or stale.

    When a loss was held it is missing, and found when a later sync listed the page before that was settled.
    New pages have no row here: they were created at the sync's ``at``.
    """

    __tablename__ = "sitemap_sync_changes"
    __table_args__ = (Index("ix_sitemap_sync_changes_sync", "sync_id", "kind", "page_id"),)

    sync_id: Mapped[int] = mapped_column(ForeignKey("sitemap_syncs.id", ondelete="CASCADE"), primary_key=True)
    page_id: Mapped[int] = mapped_column(ForeignKey("pages.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))


class KeptDocument(Base):
    """A document of a project's sitemap as the last complete sync read it, to be asked for changes only.

    ``answered_url`` is its address after redirects, ``digest`` the one of its packed text (KeptPiece).
    """

    __tablename__ = "kept_documents"
    __table_args__ = (UniqueConstraint("project_id", "url_key"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    url_key: Mapped[bytes] = mapped_column(LargeBinary(16))
    answered_url: Mapped[str] = mapped_column(String(2048))
    etag: Mapped[str | None] = mapped_column(String(500))
    last_modified: Mapped[str | None] = mapped_column(String(60))
    digest: Mapped[bytes] = mapped_column(LargeBinary(16))


class KeptPiece(Base):
    """A piece of a kept document, packed with zlib as a whole; small, so that none needs much memory."""

    __tablename__ = "kept_pieces"
    __table_args__ = (
        ForeignKeyConstraint(
            ["project_id", "url_key"], ["kept_documents.project_id", "kept_documents.url_key"],
            ondelete="CASCADE",
        ),
    )  # fmt: skip

    project_id: Mapped[int] = mapped_column(BigId, primary_key=True)
    url_key: Mapped[bytes] = mapped_column(LargeBinary(16), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    packed: Mapped[bytes] = mapped_column(LargeBinary)


class GoneChild(Base):
    """A child sitemap that answers 404 or 410: since when, and in how many syncs."""

    __tablename__ = "gone_children"
    __table_args__ = (UniqueConstraint("project_id", "url_key"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    url_key: Mapped[bytes] = mapped_column(LargeBinary(16))
    since: Mapped[datetime]
    syncs: Mapped[int]


class RestingSite(Base):
    """A site that asked to be left alone: its origin, and until when no page of it is read."""

    __tablename__ = "resting_sites"

    origin: Mapped[str] = mapped_column(String(300), primary_key=True)
    until: Mapped[datetime]
