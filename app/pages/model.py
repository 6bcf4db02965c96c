"""Pages, what was read on them, and the history of sitemap syncs, as rows."""

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
from app.infra.indexes import partial_index

READ_RANK: Final = (
    "CASE WHEN always_use THEN 0 ELSE 2 END"
    " + CASE WHEN fetched_at IS NULL OR lastmod > fetched_at THEN 0 ELSE 1 END"
)

_USED: Final = (
    "{fresh} AND {indexed} AND (canonical_url IS NULL OR canonical_url = url) AND fetch_error IS NULL"
    " AND (word_count > 0 OR fetched_at IS NULL AND word_count IS NULL)"
)
"""The condition usable.choosable in the SQL of an index."""

_UNUSED_SQLITE: Final = text(
    f"is_stale = 0 AND ({_USED.format(fresh='is_stale = 0', indexed='noindex = 0')}) IS NOT 1"
)
_UNUSED_POSTGRESQL: Final = text(
    f"NOT is_stale AND ({_USED.format(fresh='NOT is_stale', indexed='NOT noindex')}) IS NOT TRUE"
)
_NEWEST: Final = ("project_id", "created_at", "id")


class Page(Base):
    """A URL of the project's "Your Pages" list; a sync never deletes one.

    ``url_key`` is the 16-byte digest of the normalised URL. ``read_due_at`` is when the page is read next,
    None if a caller supplied its text. ``word_count`` counts the words of its text, None without a text.
    ``text_key`` is equal for equal texts, None without words.

    The database computes ``read_rank``, the order in which due pages are read. It is 0 for a page that is
    always used and new or changed, 1 for another that is always used, 2 for one that is new or changed (never
    read, or with a lastmod after its last reading), 3 for one that is only checked again.
    """

    __tablename__ = "pages"
    __table_args__ = (
        UniqueConstraint("project_id", "url_key"),
        Index("ix_pages_project_newest", *_NEWEST),
        partial_index("ix_pages_project_stale", text("is_stale"), *_NEWEST, on_sqlite=text("is_stale = 1")),
        partial_index("ix_pages_project_unused", _UNUSED_POSTGRESQL, *_NEWEST, on_sqlite=_UNUSED_SQLITE),
        partial_index(
            "ix_pages_project_unreadable",
            text("NOT is_stale AND fetch_error IS NOT NULL"),
            *_NEWEST,
            on_sqlite=text("is_stale = 0 AND fetch_error IS NOT NULL"),
        ),
        partial_index("ix_pages_with_text", text("word_count IS NOT NULL"), "project_id", "always_use", "id"),
        partial_index(
            "ix_pages_read_queue",
            text("read_due_at IS NOT NULL AND NOT is_stale"),
            *("project_id", "read_rank", "read_due_at", "id"),
            on_sqlite=text("read_due_at IS NOT NULL AND is_stale = 0"),
        ),
        partial_index("ix_pages_same_text", text("text_key IS NOT NULL"), "project_id", "text_key", "id"),
        {"sqlite_autoincrement": True},
    )

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
    text_key: Mapped[str | None] = mapped_column(String(32))
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
    """The text blocks of a page with their heading paths, in a table of its own to keep lists of pages fast.

    ``words`` and ``headings`` are what searches read (vocabulary). They are None until the first search if
    the page was read before they existed. ``etag`` and ``last_modified`` make the next request conditional.
    ``answered_url`` is where redirects led when the page was last read, None without one.
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
    answered_url: Mapped[str | None] = mapped_column(String(2048))


class SitemapSync(Base):
    """One sync of a sitemap: what it found and changed.

    ``state`` is ok, partial, quarantined or failed, or confirmed when a person confirmed removals. ``bytes``
    counts the documents that were sent, after undoing Content-Encoding but before unpacking gzip files.
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
    state: Mapped[str] = mapped_column(String(12))
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

    A page whose removal is in quarantine is missing, and found once a later sync has listed it again.
    ``missing_since`` is when the first of the quarantines in a row recorded it.
    New pages have no row here: they were created at the sync's ``at``.
    """

    __tablename__ = "sitemap_sync_changes"
    __table_args__ = (Index("ix_sitemap_sync_changes_sync", "sync_id", "kind", "page_id"),)

    sync_id: Mapped[int] = mapped_column(ForeignKey("sitemap_syncs.id", ondelete="CASCADE"), primary_key=True)
    page_id: Mapped[int] = mapped_column(ForeignKey("pages.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))
    missing_since: Mapped[datetime | None]


class SitemapFile(Base):
    """A document of a project's sitemap as the last sync met it; the ids are in the order of reading.

    It lists so many pages (``urls``), ``sitemaps``, and ``invalid`` entries without a usable URL. ``error``
    is why it was not read as a whole, as code and message; then ``read_at`` is when it last was.
    """

    __tablename__ = "sitemap_files"
    __table_args__ = (Index("ix_sitemap_files_project", "project_id", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    url: Mapped[str] = mapped_column(String(2048))
    urls: Mapped[int] = mapped_column(default=0)
    sitemaps: Mapped[int] = mapped_column(default=0)
    invalid: Mapped[int] = mapped_column(default=0)
    error: Mapped[dict[str, Any] | None]
    read_at: Mapped[datetime | None]


class CachedDocument(Base):
    """A document of a project's sitemap as the last complete sync read it, for conditional requests.

    ``answered_url`` is its address after redirects, ``digest`` that of its compressed text (CachedChunk).
    """

    __tablename__ = "cached_documents"
    __table_args__ = (UniqueConstraint("project_id", "url_key"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    url_key: Mapped[bytes] = mapped_column(LargeBinary(16))
    answered_url: Mapped[str] = mapped_column(String(2048))
    etag: Mapped[str | None] = mapped_column(String(500))
    last_modified: Mapped[str | None] = mapped_column(String(60))
    digest: Mapped[bytes] = mapped_column(LargeBinary(16))


class CachedChunk(Base):
    """A chunk of a cached document, which zlib compressed as a whole. Small chunks need little memory."""

    __tablename__ = "cached_chunks"
    __table_args__ = (
        ForeignKeyConstraint(
            ["project_id", "url_key"],
            ["cached_documents.project_id", "cached_documents.url_key"],
            ondelete="CASCADE",
        ),
    )

    project_id: Mapped[int] = mapped_column(BigId, primary_key=True)
    url_key: Mapped[bytes] = mapped_column(LargeBinary(16), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class GoneSitemap(Base):
    """A child sitemap that answers 404 or 410: since when, and in how many syncs."""

    __tablename__ = "gone_sitemaps"
    __table_args__ = (UniqueConstraint("project_id", "url_key"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    url_key: Mapped[bytes] = mapped_column(LargeBinary(16))
    since: Mapped[datetime]
    syncs: Mapped[int]


class SiteBackoff(Base):
    """A site that asked for a pause: its origin, and until when no page of it is read."""

    __tablename__ = "site_backoffs"

    origin: Mapped[str] = mapped_column(String(300), primary_key=True)
    until: Mapped[datetime]
