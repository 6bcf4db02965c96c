"""The extractive engine: request and snapshot in, finished post out; no clock, no chance, no network.

request + snapshot → build_brief → build_outline → draft_sections → check_claims → assemble → quality_check
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.content.artefacts import (
    Brief,
    SourceSnapshot,
    WrittenPost,
)
from app.content.assemble import assemble
from app.content.brief import build_brief
from app.content.compose import check_claims, draft_sections
from app.content.outline import build_outline
from app.content.quality import check_written_post
from app.content.request import GenerationRequest
from app.content.retrieval import library_of

STAGES: Final = (
    "build_brief",
    "build_outline",
    "draft_sections",
    "check_claims",
    "assemble",
    "quality_check",
)

OnStage = Callable[[str, int, int], None]


def write_extractive(request: GenerationRequest, snapshot: SourceSnapshot, on_stage: OnStage) -> WrittenPost:
    """Write a post from the snapshot's pages alone.

    ``on_stage(name, done, total)`` is called before each stage with the number of stages done and of all
    stages; whatever it raises ends the writing. The same input gives the same post, to the byte.
    """

    def enter(stage: str) -> None:
        on_stage(stage, STAGES.index(stage), len(STAGES))

    enter("build_brief")
    library = library_of(snapshot.pages, request.language)
    brief = build_brief(request, snapshot, library)
    enter("build_outline")
    outline = build_outline(request, snapshot, library, brief)
    enter("draft_sections")
    drafts = draft_sections(outline.sections, library)
    answers = draft_sections(outline.faq, library)
    enter("check_claims")
    drafts, removed = check_claims(drafts, snapshot)
    answers, removed_answers = check_claims(answers, snapshot)
    enter("assemble")
    post = assemble(brief, outline, drafts, answers, snapshot)
    enter("quality_check")
    quality = check_written_post(post, brief, snapshot)
    return WrittenPost(
        post=post,
        brief=brief,
        outline=outline,
        quality=quality,
        draft_kind=brief.draft_kind,
        engine="extractive",
        warnings=_warnings(brief, len(removed) + len(removed_answers)),
    )


def _warnings(brief: Brief, removed: int) -> tuple[str, ...]:
    found: list[str] = []
    if brief.draft_kind == "outline":
        found.append("The pages hold too little about the topic, so this is an outline and not an article.")
    if removed:
        found.append(f"{removed} sentences were removed because their source does not hold them.")
    if brief.gaps:
        found.append(f"The pages say little about: {', '.join(brief.gaps)}.")
    if brief.existing_posts_on_topic:
        titles = ", ".join(f"“{post.title}”" for post in brief.existing_posts_on_topic)
        found.append(f"There are posts on this topic already: {titles}.")
    return tuple(found)
