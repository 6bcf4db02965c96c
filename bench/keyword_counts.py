"""Counting and listing 100,000 keywords over 100,000 pages: ``python -m bench.keyword_counts NUMBER``.

Prints what the first count cost, and one that finds nothing new, and milliseconds of the lists.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

from sqlalchemy import insert

from app.content.posts.keyword_coverage import refresh_due_coverage
from app.factory import create_app
from app.infra.clock import utc_now
from app.infra.db import db, release
from app.infra.urls import url_key
from app.keywords.model import Keyword
from app.keywords.service import list_keywords, states_of
from app.pages.model import Page, PageContent
from app.projects.model import Project
from bench.documentation_pages import SITE, vocabulary
from bench.measuring import Spending
from tests.support.sites import project_at

AT_ONCE = 5000
LOOKS = 9


def project_with(number: int) -> int:
    """Make a project with so many pages and keywords, a fifth of them contested; returns its id."""
    project_id, words, chance = project_at(SITE).id, vocabulary(), Random(5)

    def pair(at: int) -> str:
        return f"{words[at % len(words)]} {words[(at * 7) % len(words)]}"

    def said(count: int, most: int) -> str:
        return " ".join(chance.choices(words[:most], k=count))

    for start in range(0, number, AT_ONCE):
        some = range(start, start + AT_ONCE)
        pages = [
            {"project_id": project_id, "url": f"{SITE}{at}", "url_key": url_key(f"{SITE}{at}"),
             "source": "SITEMAP", "title": f"{pair(at)} – Docs", "description": said(15, 3000),
             "word_count": 1}
            for at in some
        ]  # fmt: skip
        ids = db.session.scalars(insert(Page).returning(Page.id), pages).all()
        headings = ["\n\t".join(said(4, 5000) for _ in range(9)) for _ in ids]
        db.session.execute(
            insert(PageContent),
            [{"page_id": page_id, "blocks": [], "content_hash": "-", "words": "\n", "headings": lines}
             for page_id, lines in zip(ids, headings, strict=True)],
        )  # fmt: skip
        texts = [pair(at) if at < len(words) else f"{pair(at)} {at}" for at in some]
        db.session.execute(
            insert(Keyword), [{"project_id": project_id, "keyword_text": text} for text in texts]
        )
        db.session.commit()
    return project_id


def count(project_id: int) -> dict[str, float]:
    """Have the keywords counted by the periodic task; returns what that cost."""
    db.session.get_one(Project, project_id).coverage_due_at = utc_now()
    db.session.commit()
    release()
    with Spending() as spent:
        refresh_due_coverage(1)
    return spent.as_dict()


def milliseconds(act: Callable[[], Any]) -> float:
    """The median of some looks, in CPU and waiting of this process."""
    seen = []
    for _ in range(LOOKS):
        began = time.perf_counter()
        act()
        db.session.rollback()
        seen.append((time.perf_counter() - began) * 1000)
    return median(seen)


def main() -> None:
    number = int(sys.argv[1])
    with create_app().app_context(), Spending():
        project_id = project_with(number)
        counts = {"first": count(project_id), "again": count(project_id)}
        project = db.session.get_one(Project, project_id)
        lists = {
            "numbers of each state": lambda: states_of(project),
            "gaps, first page": lambda: list_keywords(project, 1, 25, state="gap"),
            "gaps, page 1,000": lambda: list_keywords(project, 1000, 25, state="gap"),
            "all, first page": lambda: list_keywords(project, 1, 25),
        }
        result = {"counts": counts, "lists": {name: milliseconds(act) for name, act in lists.items()}}
        print(json.dumps({**result, "states": states_of(project)}))


if __name__ == "__main__":
    main()
