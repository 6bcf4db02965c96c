"""Proposals: a post written again from its changed sources, kept beside its text until a person decides.

Nothing here changes a post's words but ``use_proposal``, and that only at the version a person looked at.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, select, update

from app.content.drafts import RefreshedText
from app.content.model import BlogPost, BlogPostProposal, WrittenText
from app.content.posts.checking import checked, quality_with, store_checked
from app.content.posts.page_links import note_pages
from app.content.posts.service import write_version
from app.content.posts.source_pages import source_hashes
from app.content.posts.versions import TEXTS, keep_version
from app.content.rendering.kept_images import with_images_of
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.language.words import reading_minutes
from app.projects.service import schedule_coverage

_WRITTEN: Final = tuple(WrittenText.__annotations__)
_OF_PUBLICATION: Final = ("datePublished", "mainEntityOfPage")


class Base(NamedTuple):
    """The state of a post for which sentences are written: its version, and when a person edited it last."""

    version: int
    edited_at: datetime | None


def base_of(post: BlogPost) -> Base:
    """Return the present state of a post, to be read together with its text."""
    return Base(post.version, post.edited_at)


def open_proposals(post_ids: Iterable[int]) -> dict[int, BlogPostProposal]:
    """Return the open proposals of posts, by the post's id."""
    rows = db.session.scalars(
        select(BlogPostProposal).where(
            BlogPostProposal.blog_post_id.in_(list(post_ids)), BlogPostProposal.state == "open"
        )
    )
    return {row.blog_post_id: row for row in rows}


def open_proposal(post_id: int) -> BlogPostProposal | None:
    """Return the open proposal of a post, if there is one."""
    return open_proposals([post_id]).get(post_id)


def proposal_of_job(job_id: int) -> BlogPostProposal | None:
    """Return the proposal that a job made, unless a newer one has replaced it."""
    return db.session.scalar(select(BlogPostProposal).where(BlogPostProposal.job_id == job_id))


def propose(
    project_id: int, post_id: int, job_id: int, members: Mapping[str, Any], base: Base | None = None
) -> BlogPostProposal | None:
    """Keep what was written as the post's open proposal, in place of an older one; the caller commits.

    ``members`` are columns of WrittenText; those that are left out are the post's. A text in which only
    sentences are new has a ``base``, the state of the post for which they were written: it stays a person's
    where it was so then, and an edit since then counts as one of the post alone. Its images stay.
    Text that reads as the post does needs no decision: then only the state of the sources is taken over, and
    None returned. Raises BLOG_POST_NOT_FOUND.
    """
    post = db.session.get(BlogPost, post_id, with_for_update=True, populate_existing=True)
    if post is None or post.project_id != project_id:
        raise ServiceFailure("BLOG_POST_NOT_FOUND")
    base = base or base_of(post)
    kept = {name: getattr(post, name) for name in _WRITTEN} | {"edited_at": base.edited_at}
    members = {**kept, **members}
    members["content"] = with_images_of(post.content, members["content"])
    _drop_open(post_id)
    if all(getattr(post, name) == members[name] for name in TEXTS):
        post.sources, post.source_hashes = members["sources"], members["source_hashes"]
        post.trace = members["trace"]
        note_pages(post)
        return None
    proposal = BlogPostProposal(
        blog_post_id=post_id,
        job_id=job_id,
        state="open",
        post_version=base.version,
        created_at=utc_now(),
        **members,
    )
    db.session.add(proposal)
    db.session.flush()
    return proposal


def refreshed_members(post: BlogPost, refreshed: RefreshedText) -> dict[str, Any]:
    """Return the columns of WrittenText that a refresh changes, with the report of the quality checks."""
    hashes = source_hashes([source["page_id"] for source in post.sources])
    changed: dict[str, Any] = {
        "content": refreshed.markdown,
        "description": refreshed.description,
        "trace": [entry.to_dict() for entry in refreshed.trace],
        "source_hashes": hashes,
        "editor_notes": [*refreshed.changes, *post.editor_notes],
    }
    report = quality_with(post, changed)
    words = int(report.metrics["words"])
    return {
        **changed,
        "quality": report.to_dict(),
        "word_count": words,
        "reading_minutes": reading_minutes(words),
    }


def use_proposal(post: BlogPost, proposal_id: int, version: int | None = None, *, by: str = "") -> BlogPost:
    """Make an open proposal the text of a post that is still at ``version``; the checks are run again.

    Left out, it is the version that the proposal was made for. Using a proposal again changes nothing. The
    slug stays, and a published post stays published: its new text is published as an edited one is. A
    person's edits that the proposal kept stay theirs.
    Raises PROPOSAL_NOT_FOUND, PROPOSAL_DECIDED when it was dismissed, POST_CHANGED when someone changed the
    post, and PUBLISH_IN_PROGRESS while the post is being published.
    """
    proposal = _of_post(post, proposal_id)
    if _is_decided(proposal, "accepted"):
        return post
    new = {name: getattr(proposal, name) for name in _WRITTEN}
    new["json_ld"] = [_published_as(post.json_ld, entry) for entry in proposal.json_ld]
    new["refreshed_at"] = utc_now()
    made = checked(post, new)
    if proposal.keywords != post.keywords:
        # Saving a new post locks the project first, so this does: the two must not wait for each other.
        schedule_coverage(post.project_id)
    seen = proposal.post_version if version is None else version
    write_version(post.id, seen, **new)
    _decide(proposal_id, "accepted")
    store_checked(post, made)
    keep_version(post, "refreshed", by)
    db.session.commit()
    return post


def dismiss_proposal(post: BlogPost, proposal_id: int) -> None:
    """Dismiss an open proposal; doing it again changes nothing.

    Raises PROPOSAL_NOT_FOUND, and PROPOSAL_DECIDED when it was used.
    """
    if _is_decided(_of_post(post, proposal_id), "dismissed"):
        return
    _decide(proposal_id, "dismissed")
    db.session.commit()


def _drop_open(post_id: int) -> None:
    db.session.execute(
        delete(BlogPostProposal)
        .where(BlogPostProposal.blog_post_id == post_id, BlogPostProposal.state == "open")
        .execution_options(synchronize_session=False)
    )


def _of_post(post: BlogPost, proposal_id: int) -> BlogPostProposal:
    proposal = db.session.get(BlogPostProposal, proposal_id, populate_existing=True)
    if proposal is None or proposal.blog_post_id != post.id:
        message = "This proposal is not the post's, or a newer one has taken its place."
        raise _refused("PROPOSAL_NOT_FOUND", message, proposal_id)
    return proposal


def _is_decided(proposal: BlogPostProposal, wanted: str) -> bool:
    """Return whether the proposal has the state ``wanted``. Raises PROPOSAL_DECIDED for the other one."""
    if proposal.state in ("open", wanted):
        return proposal.state == wanted
    message = "This proposal was dismissed." if wanted == "accepted" else "This proposal is in use."
    raise _refused("PROPOSAL_DECIDED", message, proposal.id)


def _decide(proposal_id: int, state: str) -> None:
    decided = db.session.scalar(
        update(BlogPostProposal)
        .where(BlogPostProposal.id == proposal_id, BlogPostProposal.state == "open")
        .values(state=state, decided_at=utc_now())
        .returning(BlogPostProposal.id)
        .execution_options(synchronize_session=False)
    )
    if decided is None:
        # Someone else decided, or a newer proposal came, since it was looked at.
        db.session.rollback()
        raise _refused(
            "PROPOSAL_DECIDED", "Someone decided on this proposal at the same moment.", proposal_id
        )


def _refused(code: str, message: str, proposal_id: int) -> ServiceFailure:
    error = {"location": "body", "field": "/proposal_id", "message": message}
    return ServiceFailure(code, message, details={"proposal_id": proposal_id}, errors=[error])


def _published_as(present: Iterable[Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return schema.org data with what publishing had added to the present data of its type."""
    same = [each for each in present if isinstance(each, dict) and each.get("@type") == entry.get("@type")]
    kept = {name: same[0][name] for name in _OF_PUBLICATION if name in same[0]} if same else {}
    return {**entry, **kept}
