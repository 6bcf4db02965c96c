"""Sitemaps to serve, and Alice's project on the site that serves them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from sqlalchemy import select

from app.accounts.model import Account
from app.infra.db import db
from app.infra.urls import normalise
from app.pages.model import Page
from app.projects.model import Project

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def urlset(urls: Iterable[str], lastmod: str | None = None) -> str:
    """A whole sitemap of these URLs."""
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    lines = "".join(f"<url><loc>{escape(url)}</loc>{date}</url>\n" for url in urls)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}">\n{lines}</urlset>\n'


def index(sitemaps: Iterable[str]) -> str:
    """A sitemap index of these sitemaps."""
    lines = "".join(f"<sitemap><loc>{escape(url)}</loc></sitemap>\n" for url in sitemaps)
    return f'<sitemapindex xmlns="{NAMESPACE}">\n{lines}</sitemapindex>\n'


def feed(urls: Iterable[str]) -> str:
    """An RSS feed of these pages."""
    items = "".join(f"<item><title>x</title><link>{escape(url)}</link></item>\n" for url in urls)
    return f'<rss version="2.0"><channel><title>News</title>\n{items}</channel></rss>\n'


def html(title: str, *paragraphs: str, head: str = "") -> str:
    """A page with a heading and paragraphs."""
    text = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in paragraphs)
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{escape(title)}</title>{head}</head>'
        f"<body><main><h1>{escape(title)}</h1>\n{text}</main></body></html>\n"
    )


def project_at(url: str, sitemap_url: str | None = None, email: str = "alice@example.com") -> Project:
    """A project of Alice, or of somebody else, on this site."""
    account = db.session.scalar(select(Account).where(Account.email == email))
    if account is None:
        account = Account(email=email, name="", password_hash="-")
        db.session.add(account)
        db.session.flush()
    home = normalise(url)
    project = Project(account_id=account.id, name="Site", url=home, sitemap_url=sitemap_url)
    db.session.add(project)
    db.session.commit()
    return project


def pages_of(project_id: int) -> dict[str, Page]:
    """The project's pages by URL, as the database has them."""
    db.session.rollback()
    rows = db.session.scalars(
        select(Page)
        .where(Page.project_id == project_id)
        .order_by(Page.id)
        .execution_options(populate_existing=True)
    )
    return {page.url: page for page in rows}


def page_counts(project_id: int) -> tuple[int, int]:
    """How many fresh and stale pages a project's row counts in the database."""
    columns = Project.page_count - Project.stale_page_count, Project.stale_page_count
    fresh, stale = db.session.execute(select(*columns).where(Project.id == project_id)).one()
    return fresh, stale


def recount(project_id: int) -> None:
    """Commit what a test wrote to rows of pages, past the services, and count them as those would have."""
    db.session.commit()
    project, pages = db.session.get_one(Project, project_id), pages_of(project_id).values()
    project.page_count = len(pages)
    project.stale_page_count = sum(page.is_stale for page in pages)
    project.newest_page_at = max((page.created_at for page in pages), default=None)
    db.session.commit()
