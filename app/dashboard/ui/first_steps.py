"""The steps from an empty project to a published post."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from flask import url_for

from app.projects.model import Project

_STEPS: Final = (
    (
        "pages",
        "Add your pages",
        "Posts are written from your pages and link to them.",
        "Sync the sitemap",
        "pages.index",
    ),
    (
        "keywords",
        "Add keywords",
        "What your readers search for. Each can become a post.",
        "Add keywords",
        "keywords.index",
    ),
    (
        "written",
        "Write a post",
        "A draft from your own pages, to review and edit.",
        "Write a post",
        "posts.generate",
    ),
    (
        "targets",
        "Connect your blog",
        "The place where posts go live, such as your website.",
        "Connect your blog",
        "targets.index",
    ),
    (
        "published",
        "Publish",
        "Review the checks, then publish the post.",
        "Choose a post",
        "posts.index",
    ),
)


@dataclass(frozen=True)
class Step:
    """One step. ``next`` is true for the first that is not done."""

    title: str
    words: str
    action: str
    url: str
    done: bool
    next: bool


def first_steps(project: Project, counts: Mapping[str, int]) -> list[Step]:
    """Return the steps, done by the counts of what the project has; empty if all are done."""
    done = [counts[name] > 0 for name, *_ in _STEPS]
    if all(done):
        return []
    return [
        Step(
            title, words, action, url_for(endpoint, project_id=project.id), made, number == done.index(False)
        )
        for number, ((_, title, words, action, endpoint), made) in enumerate(zip(_STEPS, done, strict=True))
    ]
