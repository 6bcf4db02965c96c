"""The sample site: a project whose pages come with the service, for a first look without an own website.

Nothing of it is ever requested. Its address is reserved for examples, it has no sitemap, and its pages have a
text from the beginning. They are the same pages as those of bin/demo.
"""

from pathlib import Path
from typing import Final

from app.accounts.model import Account
from app.config import ROOT
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.urls import url_key
from app.pages.extraction.blocks import Extracted
from app.pages.model import Page
from app.pages.page_counts import note_added
from app.pages.service import take
from app.projects.model import Project
from app.projects.service import add_unchecked

ADDRESS: Final = "https://brambleboard.example/"
FOLDER: Final = ROOT / "demo" / "site"
_VALUES: Final = {
    "url": ADDRESS,
    "name": "Brambleboard, a sample",
    "language": "en",
    "summary": "Rota planning for small teams in bakeries and shops.",
    "tone": "friendly",
    "target_audience_summary": "Managers who plan shifts besides everything else.",
    "sync_status": "ok",
}


def is_sample(project: Project) -> bool:
    return project.url == ADDRESS


def add_sample(account: Account) -> Project:
    """Create the sample site with all its pages, once per account; commits.

    Raises PROJECT_ALREADY_EXISTS (details.project_id) and LIMIT_REACHED.
    """
    # Parsed before the next statement locks the account.
    pages = [_read(file) for file in sorted(FOLDER.rglob("*.html"))]
    project = add_unchecked(account, _VALUES)
    for url, content in pages:
        _add_page(project.id, url, content)
    note_added(project.id, len(pages), utc_now())
    db.session.commit()
    return project


def _read(file: Path) -> tuple[str, Extracted]:
    from app.pages.extraction.extract import extract  # loads BeautifulSoup

    path = file.relative_to(FOLDER).with_suffix("").as_posix()
    url = ADDRESS + path.removesuffix("index").rstrip("/")
    return url, extract(file.read_bytes(), url, "text/html; charset=utf-8")


def _add_page(project_id: int, url: str, content: Extracted) -> None:
    page = Page(
        project_id=project_id, url=url, url_key=url_key(url), source="MANUAL", language=content.language
    )
    db.session.add(page)
    db.session.flush()
    take(page, {"title": content.title, "description": content.description}, content)
