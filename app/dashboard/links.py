"""The link map: which pages posts link to, and which have no link from any post."""

from dataclasses import dataclass
from typing import Final

from flask import render_template
from flask.typing import ResponseReturnValue

from app.content.posts.page_uses import count_unlinked, link_map, linked_pages
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.charts import LinkLine, beside_their_posts, link_lines
from app.dashboard.ui.page_states import page_word
from app.dashboard.ui.query import PAGE_SIZE, Pager, query_page
from app.pages.model import Page
from app.projects.model import Project

blueprint = dashboard_blueprint("links", "/projects/<row:project_id>/links")

MOST_NODES: Final = 30


@dataclass(frozen=True)
class Graph:
    """A drawn link map: the posts and pages in their rows, and the lines between them."""

    posts: list[tuple[int, str]]
    pages: list[Page]
    lines: list[LinkLine]
    linked: frozenset[int]

    @property
    def rows(self) -> int:
        return max(len(self.posts), len(self.pages))


@blueprint.get("")
def index(project: Project) -> ResponseReturnValue:
    page = query_page()
    rows, total = linked_pages(project, page, PAGE_SIZE)
    return render_template(
        "links/index.html",
        rows=rows,
        pager=Pager(page, total),
        unlinked=count_unlinked(project),
        graph=_graph(project) if page == 1 else None,
        page_word=page_word,
    )


def _graph(project: Project) -> Graph | None:
    found = link_map(project, MOST_NODES)
    if found is None or not found.links:
        return None
    posts, by_id = list(found.posts), {page.id: page for page in found.pages}
    pages = beside_their_posts(list(by_id), posts, found.links)
    return Graph(
        list(found.posts.items()),
        [by_id[page_id] for page_id in pages],
        link_lines(pages, posts, found.links),
        frozenset(page_id for _, page_id in found.links),
    )
