"""The sitemap of a project: its documents, what each lists, when it was last read, and why it was not."""

from __future__ import annotations

from flask import render_template, request
from flask.typing import ResponseReturnValue

from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.query import PAGE_SIZE, Pager, query_page
from app.pages.sync.sitemap_files import count_files, list_files
from app.projects.model import Project

blueprint = dashboard_blueprint("sitemap_files", "/projects/<row:project_id>/sitemap")


@blueprint.get("")
def index(project: Project) -> ResponseReturnValue:
    """List the documents of the project's sitemap, or only those that were not read as a whole."""
    page = query_page()
    failed = request.args.get("state") == "failed"
    rows, total = list_files(project, page, PAGE_SIZE, failed=failed or None)
    every, troubled = count_files(project)
    return render_template(
        "pages/sitemap.html",
        files=rows,
        pager=Pager(page, total),
        failed=failed,
        every=every,
        troubled=troubled,
    )
