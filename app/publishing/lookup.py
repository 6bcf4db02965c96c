"""What was published where: the publications of posts and jobs, and the posts at targets."""

from collections.abc import Iterable, Sequence

from sqlalchemy import and_, distinct, func, select

from app.content.model import BlogPost
from app.infra.db import db
from app.projects.model import Project
from app.publishing.model import LIVE_STATES, MAYBE_LIVE, Publication, PublishTarget


def publications_of(post_ids: Iterable[int]) -> dict[int, list[Publication]]:
    """Return the publications of posts, newest first; a post without any has an empty list."""
    found: dict[int, list[Publication]] = {post_id: [] for post_id in post_ids}
    rows = db.session.scalars(
        select(Publication).where(Publication.blog_post_id.in_(list(found))).order_by(Publication.id.desc())
    )
    for row in rows:
        found[row.blog_post_id].append(row)
    return found


def places_of(post: BlogPost) -> tuple[dict[int, PublishTarget], list[Publication]]:
    """Return the targets of a post's project by id, and the post's publications, newest first.

    Removed targets are among them, because old publications still name them.
    """
    of_post = and_(Publication.target_id == PublishTarget.id, Publication.blog_post_id == post.id)
    rows = db.session.execute(
        select(PublishTarget, Publication)
        .outerjoin(Publication, of_post)
        .where(PublishTarget.project_id == post.project_id)
        .order_by(Publication.id.desc())
    ).all()
    targets = {target.id: target for target, _ in rows}
    return targets, [publication for _, publication in rows if publication is not None]


def only_home(publications: Iterable[Publication]) -> int | None:
    """Return the id of the one target where a post is live; None if it is live nowhere, or at several."""
    homes = {each.target_id for each in publications if each.state in LIVE_STATES}
    return homes.pop() if len(homes) == 1 else None


def publication_of_job(job_id: int) -> Publication | None:
    """Return the publication that a job last worked on, None without one."""
    return db.session.scalar(select(Publication).where(Publication.job_id == job_id))


def target_of(publication: Publication) -> PublishTarget:
    """Return the target of a publication, also a removed one: it is part of the history."""
    return db.session.get_one(PublishTarget, publication.target_id)


def posts_at(target: PublishTarget, most: int) -> Sequence[BlogPost]:
    """Return at most ``most`` posts that are, or may be, live at a target, newest publication first."""
    return db.session.scalars(
        select(BlogPost)
        .join(Publication, Publication.blog_post_id == BlogPost.id)
        .where(Publication.target_id == target.id, Publication.state.in_(MAYBE_LIVE))
        .order_by(Publication.id.desc())
        .limit(most)
    ).all()


def count_posts(project: Project) -> dict[int, int]:
    """Return how many posts are, or may be, live at each of a project's targets, by the target's id."""
    rows = db.session.execute(
        select(Publication.target_id, func.count(distinct(Publication.blog_post_id)).label("posts"))
        .join(PublishTarget, PublishTarget.id == Publication.target_id)
        .where(PublishTarget.project_id == project.id, Publication.state.in_(MAYBE_LIVE))
        .group_by(Publication.target_id)
    )
    return {row.target_id: row.posts for row in rows}
