"""Blog posts, as rows."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, TextClause, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.db import Base, BigId

_OPEN = text("state = 'open'")
DRAFT = text("status = 'draft'")
# Conditions that stand beside others have brackets of their own.
TROUBLED = text("(stale_links > 0 OR changed_sources > 0)")
CHANGED_SINCE = text("(edited_at > published_at OR refreshed_at > published_at)")
"""Conditions of indexes. Queries repeat them word for word, or SQLite would not use the index."""


def _partial_index(name: str, where: TextClause, *columns: str, unique: bool = False) -> Index:
    return Index(name, *columns, unique=unique, postgresql_where=where, sqlite_where=where)


class WrittenText:
    """What an engine writes: the columns that a post and a proposal for it have in common.

    ``request`` is the request with its defaults: the quality gate reads in it what the caller gave.
    ``edited_at`` is when a person last changed the text, None while all of it is the engine's.
    """

    title: Mapped[str] = mapped_column(String(200))
    meta_title: Mapped[str] = mapped_column(String(200), default="")
    description: Mapped[str] = mapped_column(Text, default="")
    primary_keyword: Mapped[str | None] = mapped_column(String(200))
    tags: Mapped[list[Any]] = mapped_column(default=list)
    keywords: Mapped[list[Any]] = mapped_column(default=list)
    language: Mapped[str] = mapped_column(String(35))
    content: Mapped[str] = mapped_column(Text)
    word_count: Mapped[int] = mapped_column(default=0)
    reading_minutes: Mapped[int] = mapped_column(default=0)
    draft_kind: Mapped[str] = mapped_column(String(12))
    engine: Mapped[str] = mapped_column(String(12))
    sources: Mapped[list[Any]] = mapped_column(default=list)
    source_hashes: Mapped[dict[str, Any]] = mapped_column(default=dict)
    trace: Mapped[list[Any]] = mapped_column(default=list)
    quality: Mapped[dict[str, Any] | None]
    generator: Mapped[dict[str, Any] | None]
    faq: Mapped[list[Any]] = mapped_column(default=list)
    json_ld: Mapped[list[Any]] = mapped_column(default=list)
    outline: Mapped[list[Any]] = mapped_column(default=list)
    editor_notes: Mapped[list[Any]] = mapped_column(default=list)
    warnings: Mapped[list[Any]] = mapped_column(default=list)
    request: Mapped[dict[str, Any]] = mapped_column(default=dict)
    edited_at: Mapped[datetime | None]


class BlogPost(WrittenText, Base):
    """A post of a project: a draft until it is published. ``job_id`` is the job that generated it.

    ``cover_digest`` names its uploaded cover and the alt text of that, None while the cover is generated.
    ``status`` is draft, publishing or published. ``version`` grows with each edit and guards against lost
    updates; ``refreshed_at`` is when a proposal became the text.
    The index of titles has all that a search reads.
    ``stale_links`` counts the stale pages that it links to, ``changed_sources`` the sources that have changed
    since it was made. posts.page_links keeps both; ``stale_links`` is None until its links are stored.
    """

    __tablename__ = "blog_posts"
    __table_args__ = (
        UniqueConstraint("project_id", "slug"),
        Index("ix_blog_posts_project_newest", "project_id", "created_at", "id"),
        Index("ix_blog_posts_published", "project_id", "published_at"),
        Index("ix_blog_posts_changed", "project_id", "updated_at", "id"),
        Index("ix_blog_posts_title", "project_id", "title", "primary_keyword", "status", "id"),
        _partial_index("ix_blog_posts_drafts", DRAFT, "project_id"),
        _partial_index("ix_blog_posts_troubled", TROUBLED, "project_id"),
        _partial_index("ix_blog_posts_changed_since", CHANGED_SINCE, "project_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    job_id: Mapped[int | None] = mapped_column(BigId, unique=True)
    status: Mapped[str] = mapped_column(String(12), default="draft")
    published_at: Mapped[datetime | None]
    published_url: Mapped[str | None] = mapped_column(String(2048))
    slug: Mapped[str] = mapped_column(String(80))
    version: Mapped[int] = mapped_column(default=1)
    refreshed_at: Mapped[datetime | None]
    cover_digest: Mapped[str | None] = mapped_column(String(64))
    stale_links: Mapped[int | None]
    changed_sources: Mapped[int] = mapped_column(default=0, server_default="0")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)


class BlogPostPage(Base):
    """An address that a post links to or is made from, by the key of pages.Page, whether or not it is a page.

    ``source_hash`` is the content hash that a source had when the text was made, None for a mere link.
    """

    __tablename__ = "blog_post_pages"
    __table_args__ = (Index("ix_blog_post_pages_page", "project_id", "url_key", "is_linked"),)

    blog_post_id: Mapped[int] = mapped_column(
        ForeignKey("blog_posts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    url_key: Mapped[bytes] = mapped_column(LargeBinary(16), primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    is_linked: Mapped[bool]
    source_hash: Mapped[str | None] = mapped_column(String(64))


class StoredPicture:
    """The picture of a row: either ``data``, which is only loaded when asked for, or an object in a bucket.

    ``content_hash`` is the SHA-256 of the picture. posts.picture_store stores and loads it.
    """

    media_type: Mapped[str] = mapped_column(String(20))
    width: Mapped[int]
    height: Mapped[int]
    content_hash: Mapped[str] = mapped_column(String(64))
    data: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    object_key: Mapped[str | None] = mapped_column(String(200))


class BlogPostCover(StoredPicture, Base):
    """An uploaded cover image of a post. Without an ``alt`` text it is the post's title."""

    __tablename__ = "blog_post_covers"

    blog_post_id: Mapped[int] = mapped_column(
        ForeignKey("blog_posts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    alt: Mapped[str | None] = mapped_column(String(300))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class ProjectImage(StoredPicture, Base):
    """An image of a project that the texts of its posts show; a project has each picture once.

    ``file_name`` is the uploaded file's, ``size`` the bytes of the picture as it is stored. ``alt`` is the
    text that a new reference to it gets. ``added_by`` is empty when nobody is known.
    """

    __tablename__ = "project_images"
    __table_args__ = (UniqueConstraint("project_id", "content_hash"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    file_name: Mapped[str] = mapped_column(String(200))
    alt: Mapped[str] = mapped_column(String(300), default="")
    size: Mapped[int]
    added_by: Mapped[str] = mapped_column(String(200), default="")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class BlogPostProposal(WrittenText, Base):
    """A new text for a post, made from its changed sources and kept beside it until a person decides.

    ``state`` is open, accepted or dismissed; a post has one open proposal at most. ``post_version`` is the
    version of the post that the proposal was made for.
    """

    __tablename__ = "blog_post_proposals"
    __table_args__ = (
        Index("ix_blog_post_proposals_post", "blog_post_id"),
        _partial_index("uq_blog_post_proposals_open", _OPEN, "blog_post_id", unique=True),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    blog_post_id: Mapped[int] = mapped_column(ForeignKey("blog_posts.id", ondelete="CASCADE"))
    job_id: Mapped[int] = mapped_column(BigId, unique=True)
    state: Mapped[str] = mapped_column(String(10), default="open")
    post_version: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    decided_at: Mapped[datetime | None]


class BlogPostVersion(Base):
    """A saved text of a post, kept to be compared and brought back.

    ``version`` is that of the post when the text was saved last. ``why`` is generated, edited, autosaved,
    refreshed, restored or set_aside: typed, but not saved, because someone else had changed the post.
    ``by`` is who saved it, empty when nobody is known.
    """

    __tablename__ = "blog_post_versions"
    __table_args__ = (
        Index("ix_blog_post_versions_post", "blog_post_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    blog_post_id: Mapped[int] = mapped_column(ForeignKey("blog_posts.id", ondelete="CASCADE"))
    version: Mapped[int]
    why: Mapped[str] = mapped_column(String(10))
    by: Mapped[str] = mapped_column(String(200), default="")
    title: Mapped[str] = mapped_column(String(200))
    meta_title: Mapped[str] = mapped_column(String(200))
    description: Mapped[str] = mapped_column(Text)
    content: Mapped[str] = mapped_column(Text)
    word_count: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    saved_at: Mapped[datetime] = mapped_column(default=utc_now)


class PostRemoval(Base):
    """Drafts that a person removed at once, kept so that the removal can be undone for a day."""

    __tablename__ = "post_removals"
    __table_args__ = (
        Index("ix_post_removals_project", "project_id", "created_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class RemovedPost(Base):
    """One of them: its row and those that belong to it, by the names of their tables."""

    __tablename__ = "removed_posts"
    __table_args__ = (
        Index("ix_removed_posts_removal", "removal_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    removal_id: Mapped[int] = mapped_column(ForeignKey("post_removals.id", ondelete="CASCADE"))
    blog_post_id: Mapped[int] = mapped_column(BigId)
    rows: Mapped[dict[str, Any]]
