"""The proposal of a blog post: a refreshed text, to be used or dismissed."""

from typing import Any

from flask.typing import ResponseReturnValue

from app.api.blog_posts import PostAnswer, blueprint
from app.api.http.auth import caller
from app.api.http.contract import Takes, success
from app.api.posts import present
from app.content.posts import proposals
from app.content.posts.service import get_post
from app.infra.db import LARGEST_ID
from app.infra.inputs import Input, Integer
from app.projects.model import Project


class ProposalIn(Input):
    proposal_id = Integer(
        least=1, most=LARGEST_ID, required=True, metadata={"description": "The id of the post's proposal."}
    )


class ProposalUse(ProposalIn):
    version = Integer(
        least=1,
        allow_none=True,
        load_default=None,
        metadata={"description": "The post's version; defaults to the one that the proposal is based on."},
    )


@blueprint.operation(
    "POST",
    "/<id:blog_post_id>/proposal/use",
    takes=Takes(ProposalUse),
    gives={200: PostAnswer},
    fails=("PROPOSAL_NOT_FOUND", "PROPOSAL_DECIDED", "POST_CHANGED", "PUBLISH_IN_PROGRESS"),
)
def use_proposal(project: Project, blog_post_id: int, body: dict[str, Any]) -> ResponseReturnValue:
    """Make the proposal the post's text. Repeating it changes nothing."""
    post = get_post(project, blog_post_id)
    proposals.use_proposal(post, body["proposal_id"], body["version"], by=caller().name)
    return success({"post": present(project, post)})


@blueprint.operation(
    "POST",
    "/<id:blog_post_id>/proposal/dismiss",
    takes=Takes(ProposalIn),
    gives={200: PostAnswer},
    fails=("PROPOSAL_NOT_FOUND", "PROPOSAL_DECIDED"),
)
def dismiss_proposal(project: Project, blog_post_id: int, body: dict[str, Any]) -> ResponseReturnValue:
    """Dismiss the proposal; the post stays unchanged. Repeating it changes nothing."""
    post = get_post(project, blog_post_id)
    proposals.dismiss_proposal(post, body["proposal_id"])
    return success({"post": present(project, post)})
