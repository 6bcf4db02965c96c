"""The way from an empty project to a published post, one step after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from flask import url_for

from app.projects.model import Project

_STEPS: Final = (
    (
        "pages",
        "Bring in your pages",
        "Posts are written from them and link to them.",
        "Sync the sitemap",
        "pages.index",
    ),
    (
        "keywords",
        "Add keywords",
        "What your readers search for; each can become a post.",
        "Add keywords",
        "keywords.index",
    ),
    (
        "written",
        "Generate a post",
        "A draft from your own pages, to be checked and edited.",
        "Generate a post",
        "posts.generate",
    ),
    (
        "targets",
        "Add a publish target",
        "The place where posts go live, such as your website.",
        "Add a target",
        "targets.index",
    ),
    (
        "published",
        "Publish",
        "Look at the checks once more, then send the post.",
        "Choose a post",
        "posts.index",
    ),
)


@dataclass(frozen=True)
class Step:
    """One step; ``next`` is true for the first that is not done."""

    title: str
    words: str
    action: str
    url: str
    done: bool
    next: bool


def first_steps(project: Project, counts: Mapping[str, int]) -> list[Step]:
    """Return the steps by what the project has of each thing; an empty list when nothing is left to do."""
    done = [counts[name] > 0 for name, *_ in _STEPS]
    if all(done):
        return []
    return [
        Step(
            title, words, action, url_for(endpoint, project_id=project.id), made, number == done.index(False)
        )
        for number, ((_, title, words, action, endpoint), made) in enumerate(zip(_STEPS, done, strict=True))
    ]
