"""Problems that need a person's decision between the text here and the one at the target."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from app.failures import failure
from app.publishing.targets.base import NOT_DELIVERED, DeliveryCertainty, Document, PublishProblem, RemotePost

_MOST_TEXT: Final = 20_000
_FOR_EXISTING: Final = ("update_existing_post",)


@contextmanager
def certain(certainty: DeliveryCertainty) -> Iterator[None]:
    """Raise a problem of what is called inside with this certainty."""
    try:
        yield
    except PublishProblem as problem:
        raise PublishProblem(problem.failure, certainty) from problem


def edited_there(remote: RemotePost, document: Document) -> PublishProblem:
    """Return the problem of a post that somebody edited at its target, with both texts in its details."""
    details = both_texts(remote, document)
    return PublishProblem(
        failure("TARGET_POST_EDITED", without=_FOR_EXISTING, details=details), NOT_DELIVERED
    )


def changed_there(existing: RemotePost, document: Document) -> PublishProblem:
    """Return the problem of an existing post that was changed since a person decided to update it."""
    failed = failure(
        "TARGET_POST_EDITED",
        "The post there was changed since you looked at it, so nothing was replaced.",
        hints=["Compare the two texts. To replace the text there, publish again with the new existing_post."],
        without=("publish_with_overwrite",),
        details=with_existing(existing, document),
    )
    return PublishProblem(failed, NOT_DELIVERED)


def slug_taken(details: Mapping[str, Any]) -> PublishProblem:
    return PublishProblem(failure("TARGET_SLUG_TAKEN", without=_FOR_EXISTING, details=details), NOT_DELIVERED)


def slug_taken_by(existing: RemotePost, document: Document, details: Mapping[str, Any]) -> PublishProblem:
    """Return the problem of a slug that an existing post has, with what is needed to update that post."""
    details = {**details, **with_existing(existing, document)}
    return PublishProblem(failure("TARGET_SLUG_TAKEN", details=details), NOT_DELIVERED)


def with_existing(existing: RemotePost, document: Document) -> dict[str, Any]:
    """Return the details by which a person compares an existing post with ours and names it again."""
    named = {"id": existing.external_id, "fingerprint": existing.fingerprint}
    return {"existing_post": named, "state_there": existing.status, **both_texts(existing, document)}


def both_texts(remote: RemotePost, document: Document) -> dict[str, Any]:
    """Return the texts at the target and here, each cut to its start."""
    return {
        "url": remote.url,
        "title_there": remote.title,
        "text_there": (remote.text or "")[:_MOST_TEXT],
        "title_here": document.post["title"],
        "text_here": document.post["content_html"][:_MOST_TEXT],
    }
