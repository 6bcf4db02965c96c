"""What search results suggest to do: write about a query, or refresh a post that loses its readers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from sqlalchemy import select

from app.content.model import BlogPost
from app.infra.db import batches, db
from app.infra.urls import key_of
from app.keywords.coverage import Matcher
from app.projects.model import Project
from app.search_performance.model import SearchImport, SearchPage, SearchQuery

Why = Literal["near_top", "without_post", "losing"]
WHYS: Final[tuple[Why, ...]] = ("near_top", "without_post", "losing")

BEST_POSITION: Final = 5
WORST_POSITION: Final = 20
LEAST_IMPRESSIONS: Final = 10
LEAST_CLICKS: Final = 5
LARGEST_SHARE_KEPT: Final = 0.8
MOST: Final = 50
_MOST_QUERIES: Final = 500
_MOST_POSTS: Final = 5000
_AT_ONCE: Final = 500


@dataclass(frozen=True)
class Opportunity:
    """One thing to do. With a ``post_id`` it is to refresh that post, else to write about the ``query``.

    ``clicks_before`` is what a losing post had in a period of the same length before.
    """

    why: Why
    query: str | None
    post_id: int | None
    title: str | None
    clicks: int
    impressions: int
    position: float | None
    clicks_before: int | None = None


class _Post(NamedTuple):
    id: int
    title: str
    primary_keyword: str | None
    published_url: str | None


def opportunities(project: Project, latest: SearchImport, before: SearchImport | None) -> list[Opportunity]:
    """Return what the latest search results of a project suggest, the most promising of each kind first.

    ``before`` is the import that they are compared with.
    """
    posts = _posts(project.id)
    queries = _queries(latest.id)
    post_of = _posts_by_query([row.query for row in queries], posts)
    return [
        *_near_top(queries, post_of),
        *_without_post(queries, post_of),
        *(_losing(latest, before, posts) if before else ()),
    ]


def _queries(import_id: int) -> Sequence[SearchQuery]:
    return db.session.scalars(
        select(SearchQuery)
        .where(SearchQuery.import_id == import_id, SearchQuery.impressions >= LEAST_IMPRESSIONS)
        .order_by(SearchQuery.impressions.desc(), SearchQuery.id.desc())
        .limit(_MOST_QUERIES)
    ).all()


def _posts(project_id: int) -> Sequence[_Post]:
    rows = db.session.execute(
        select(BlogPost.id, BlogPost.title, BlogPost.primary_keyword, BlogPost.published_url)
        .where(BlogPost.project_id == project_id)
        .order_by(BlogPost.id.desc())
        .limit(_MOST_POSTS)
    )
    return [_Post(*row) for row in rows]


def _posts_by_query(queries: Iterable[str], posts: Iterable[_Post]) -> dict[str, tuple[int, str]]:
    matcher = Matcher(queries)
    found: dict[str, tuple[int, str]] = {}
    for post_id, title, keyword, _ in posts:
        for query in matcher.in_title(title) | matcher.in_title(keyword or ""):
            found.setdefault(query, (post_id, title))
    return found


def _near_top(queries: Iterable[SearchQuery], post_of: dict[str, tuple[int, str]]) -> Iterable[Opportunity]:
    near = [q for q in queries if q.position is not None and BEST_POSITION <= q.position <= WORST_POSITION]
    for row in near[:MOST]:
        yield _of_query("near_top", row, post_of.get(row.query))


def _without_post(
    queries: Iterable[SearchQuery], post_of: dict[str, tuple[int, str]]
) -> Iterable[Opportunity]:
    missing = [
        row
        for row in queries
        if row.query not in post_of
        and (row.position is None or row.position > WORST_POSITION or row.position < BEST_POSITION)
    ]
    for row in missing[:MOST]:
        yield _of_query("without_post", row, None)


def _of_query(why: Why, row: SearchQuery, post: tuple[int, str] | None) -> Opportunity:
    post_id, title = post or (None, None)
    return Opportunity(why, row.query, post_id, title, row.clicks, row.impressions, row.position)


def _losing(
    latest: SearchImport,
    before: SearchImport,
    posts: Iterable[_Post],
) -> Iterable[Opportunity]:
    addresses = {key: (post_id, title) for post_id, title, _, url in posts if url and (key := key_of(url))}
    now, then = _pages(latest.id, addresses), _pages(before.id, addresses)
    lost = []
    for key, old in then.items():
        clicks_before = round(old.clicks * latest.days / before.days)
        new = now.get(key)
        clicks = new.clicks if new else 0
        if clicks_before >= LEAST_CLICKS and clicks <= clicks_before * LARGEST_SHARE_KEPT:
            shown = new.impressions if new else 0
            position = new.position if new else None
            lost.append(Opportunity("losing", None, *addresses[key], clicks, shown, position, clicks_before))
    lost.sort(key=lambda each: each.clicks - (each.clicks_before or 0))
    return lost[:MOST]


def _pages(import_id: int, keys: Iterable[bytes]) -> dict[bytes, SearchPage]:
    return {
        row.url_key: row
        for batch in batches(keys, _AT_ONCE)
        for row in db.session.scalars(
            select(SearchPage).where(SearchPage.import_id == import_id, SearchPage.url_key.in_(batch))
        )
    }
