"""Blog posts in responses, with what belongs to them."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from app.api.http.fields import Out
from app.api.post_schemas import CoverImageOut, PostOut, ProposalOut, PublicationOut, QualityOut, TraceOut
from app.content.assembly.tracing import origins
from app.content.model import BlogPost, BlogPostProposal, WrittenText
from app.content.posts.checking import quality_of
from app.content.posts.covers import Cover, covers_of, json_ld_of
from app.content.posts.images import file_address
from app.content.posts.proposals import open_proposals
from app.content.rendering.html import render_html
from app.infra.inputs import shared
from app.projects.model import Project
from app.publishing.lookup import publications_of
from app.publishing.model import Publication
from app.publishing.service import names_of_targets


def present(project: Project, post: BlogPost) -> dict[str, Any]:
    """Return a post of a project as in the contract, with its text and its current checks."""
    shown = present_all(project, [post], with_content=True)[0]
    return {**shown, "quality": shared(QualityOut).dump(quality_of(post).to_dict())}


def present_all(project: Project, posts: Sequence[BlogPost], *, with_content: bool) -> list[dict[str, Any]]:
    """Return posts of a project as in the contract; text and trace are null without ``with_content``.

    Their quality is as of the last change of the text.
    """
    published = publications_of(post.id for post in posts)
    names = names_of_targets(project) if any(published.values()) else {}
    proposals = open_proposals(post.id for post in posts)
    covers = covers_of(project, posts)
    return [
        _present(post, published[post.id], names, proposals.get(post.id), covers[post.id], with_content)
        for post in posts
    ]


def _present(
    post: BlogPost,
    publications: Sequence[Publication],
    names: Mapping[int, str],
    proposal: BlogPostProposal | None,
    cover: Cover,
    with_content: bool,
) -> dict[str, Any]:
    return _shown(
        PostOut,
        post,
        post.project_id,
        with_content,
        publications=[_publication(each, names) for each in publications],
        proposal=_shown(ProposalOut, proposal, post.project_id, with_content) if proposal else None,
        cover_image=shared(CoverImageOut).dump(cover.to_dict()),
        json_ld=json_ld_of(post, cover),
    )


def _shown(
    schema: type[Out], text: WrittenText, project_id: int, with_content: bool, **computed: Any
) -> dict[str, Any]:
    address = partial(file_address, project_id)
    trace = shared(TraceOut).dump(origins(text.trace, text.sources), many=True) if with_content else None
    computed |= {
        "content": text.content if with_content else None,
        "content_html": render_html(text.content, address) if with_content else None,
        "trace": trace,
    }
    shown: dict[str, Any] = shared(schema, exclude=tuple(computed)).dump(text)
    return {name: computed[name] if name in computed else shown[name] for name in shared(schema).fields}


def _publication(publication: Publication, names: Mapping[int, str]) -> Any:
    return shared(PublicationOut).dump(
        {
            "target": names.get(publication.target_id, ""),
            "external_id": publication.external_id,
            "url": publication.url,
            "state": publication.state,
            "at": publication.published_at or publication.updated_at,
            "public_url_status": publication.public_status,
            "remark": publication.public_remark,
            "was_there_before": None not in (publication.external_id, publication.existing_id),
            "override": publication.override,
        }
    )
