"""What the page of an outline offers: the pages that came nearest to its topic, to write a draft from."""

from collections.abc import Sequence

from sqlalchemy import select

from app.content.model import BlogPost
from app.executions.model import ExecutionJob
from app.infra.db import db
from app.pages.model import Page
from app.pages.usable import usable


def pages_to_choose(post: BlogPost) -> Sequence[Page]:
    """Return the pages that came nearest to the topic of an outline, the nearest first.

    There are none for other posts, for an outline that somebody filled or that is not a draft, and where
    its job is not stored any more.
    """
    is_bare = post.draft_kind == "outline" and post.status == "draft" and post.edited_at is None
    if not is_bare or post.job_id is None:
        return ()
    of_post = (ExecutionJob.id == post.job_id, ExecutionJob.project_id == post.project_id)
    artefacts = db.session.scalar(select(ExecutionJob.artefacts).where(*of_post)) or {}
    nearest: list[int] = (artefacts.get("brief") or {}).get("nearest_page_ids") or []
    found = select(Page).where(Page.project_id == post.project_id, Page.id.in_(nearest), usable())
    return sorted(db.session.scalars(found), key=lambda page: nearest.index(page.id))
