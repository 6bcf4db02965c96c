"""How a part of a post is written anew: the work of REWRITE_BLOG_POST."""

import time

from app.content.posts.proposals import base_of
from app.operations.base import JobResult, Run
from app.operations.performing.proposing import STEPS, first_input, post_of, revision_of, sentences_result
from app.operations.rewrite_blog_post import positions_of


def perform(run: Run) -> JobResult:
    """Write the part anew. The transaction that ends the job saves the proposal."""
    run.progress("prepare_input", 0, STEPS)
    post = post_of(run)
    positions = positions_of(post, run.payload)
    members = {"blog_post_id": post.id, "changed": False, "proposal_id": None}
    started = time.monotonic()
    base = base_of(post)
    revision = revision_of(run, post, first_input(run, post))
    new = revision.rewrite(positions, run.payload["instruction"])
    return sentences_result(run, members, new, base, started)
