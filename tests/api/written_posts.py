"""A generated post with a text of our own, which passes the quality gate."""

from __future__ import annotations

from typing import Any

from flask import Flask
from sqlalchemy import update

from app.content.model import BlogPost
from app.infra.clock import utc_now
from app.infra.db import db
from tests.api.conftest import Customer
from tests.support.publishing import TEXT

TITLE = "How to keep garden notes that help"


def written(app: Flask, alice: Customer, project: str) -> tuple[str, dict[str, Any]]:
    """A generated post with a text that passes the gate: its path and its job."""
    job = alice.generated(int(project.rpartition("/")[2]))
    post_id = job["result"]["blog_post_id"]
    description = "What to write down in a garden notebook, and how it helps in later seasons."
    text = {"title": TITLE, "slug": "garden-notes", "description": description, "content": TEXT}
    change(app, post_id, **text, word_count=130, edited_at=utc_now())
    return f"{project}/blog-posts/{post_id}", job


def change(app: Flask, post_id: int, **members: Any) -> None:
    with app.app_context():
        values = {**members, "version": BlogPost.version + 1}
        db.session.execute(update(BlogPost).where(BlogPost.id == post_id).values(**values))
        db.session.commit()
