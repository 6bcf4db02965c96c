"""The kind of target: its settings, and what each call does at Ghost 5 and 6.

find | by Ghost's id; without it by the marker, through a filter and through the slug
create | the images, then a hidden draft that carries the marker of the publication
write | text, images and visibility by the post's id; slug and tags belong to the site
unpublish | back to draft
delete | a draft for good
"""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, urljoin

from app.failures import failure, invalid_field
from app.infra.checks import confidential_url
from app.infra.http.response import SmallResponse
from app.publishing.targets.base import (
    NOT_DELIVERED,
    UNKNOWN,
    Access,
    Document,
    EnteredSecret,
    PublishProblem,
    Reference,
    RemotePost,
    Setting,
    TargetKind,
    default_status,
)
from app.publishing.targets.ghost.api import (
    KEY,
    error_of,
    is_gone,
    only_post,
    posts_of,
    problem_of,
    request,
    send,
    site_of,
)
from app.publishing.targets.ghost.check import check
from app.publishing.targets.ghost.images import image_addresses, image_members
from app.publishing.targets.ghost.post import first_members, remote_of, text_members
from app.publishing.targets.http_calls import details_of, unusable
from app.publishing.targets.problems import certain, edited_there
from app.publishing.targets.text_images import at_addresses

_ANSWERED_WITH_HTML: Final = "formats=html"
_TAKES_HTML: Final = "source=html&formats=html"
"""Without ``source=html`` Ghost ignores the text and makes an empty post."""
_MOST_COLLISIONS: Final = 2
_CONTENT_KEY: Final = re.compile(r"[0-9a-f]{26}", re.IGNORECASE)


def find(reference: Reference, access: Access) -> RemotePost | None:
    """Find a post by Ghost's id, else by its marker: through a filter and through the slug."""
    if reference.external_id is not None:
        return _by_id(reference.external_id, access)
    marker = quote(f"codeinjection_head:~'publication:{reference.publication_id}'", safe="")
    filtered = request(access, "GET", f"posts/?filter={marker}&{_ANSWERED_WITH_HTML}")
    # A filter that finds nothing is no proof, so the slug is looked at in any case.
    found = [*posts_of(filtered), *_by_slug(reference.slug, access)]
    ours = (each for each in map(remote_of, found) if each.publication_id == reference.publication_id)
    return min(ours, key=lambda remote: remote.status == "draft", default=None)


def create(document: Document, access: Access) -> RemotePost:
    """Upload the images and make a hidden draft."""
    with certain(NOT_DELIVERED):  # the post itself has not been sent yet
        image = image_members(document.picture, None, access)
        document = at_addresses(document, image_addresses(document.images, None, access))
    post = {"status": "draft", **first_members(document), **text_members(document, None), **image}
    return remote_of(only_post(send(access, "POST", f"posts/?{_TAKES_HTML}", post)))


def write(document: Document, remote: RemotePost, access: Access) -> RemotePost:
    """Give the post the text and visibility. Slug and tags stay as they are at the site.

    Raises PublishProblem TARGET_POST_EDITED if somebody edited the post since ``remote`` was read.
    """
    for _ in range(_MOST_COLLISIONS):
        with certain(NOT_DELIVERED):
            there = only_post(_get(remote.external_id, access))
            here = remote_of(there)
            if _has(here, document):
                return here
            if remote.fingerprint not in (None, here.fingerprint):
                raise edited_there(here, document)
            image = image_members(document.picture, there.get("feature_image"), access)
            addresses = image_addresses(document.images, there.get("html"), access)
        text = text_members(at_addresses(document, addresses), there.get("codeinjection_head"))
        status = _status(document, here)
        response = _put(here, {**text, **image, **status}, access, _TAKES_HTML)
        if not _collided(response):
            return remote_of(only_post(response))
    raise problem_of(response)


def unpublish(remote: RemotePost, access: Access) -> None:
    """Make the post a draft; one that is gone is no error. Raises PublishProblem if Ghost does not say so."""
    for _ in range(_MOST_COLLISIONS):
        here = _by_id(remote.external_id, access)
        if here is None or here.status == "draft":
            return None
        response = _put(here, {"status": "draft"}, access, _ANSWERED_WITH_HTML)
        if is_gone(response):
            return None
        if not _collided(response):
            return _require_draft(response)
    raise problem_of(response)


def delete(remote: RemotePost, access: Access) -> None:
    """Delete a draft; a post that is gone is no error. Raises PublishProblem if it is published."""
    here = _by_id(remote.external_id, access)
    if here is None:
        return
    if here.status != "draft":
        message = "The post is published at the target. Unpublish it first."
        raise PublishProblem(failure("PUBLISH_REJECTED", message, details={"url": here.url}), NOT_DELIVERED)
    response = request(access, "DELETE", f"posts/{_segment(here.external_id)}/")
    if response.status != 204 and not is_gone(response):
        raise problem_of(response) if response.status >= 300 else unusable(response)


def post_with_slug(slug: str, access: Access) -> RemotePost | None:
    """Return the post that has a slug, whoever wrote it."""
    found = _by_slug(slug, access)
    return remote_of(found[0]) if found else None


def checked_address(text: str, field: str) -> str:
    """Return the address of a site of which any address was entered, such as that of Ghost's editor.

    Raises URL_NOT_ALLOWED, also for http unless the operator allowed the host.
    """
    entered = text if "://" in text else f"https://{text}"
    return site_of(confidential_url(entered, field))


def checked_key(text: str, field: str) -> str:
    """Return the Admin API key in a text. Raises INVALID_REQUEST, also for a Content API key."""
    key = KEY.search(text)
    if key is not None:
        return key[0].lower()
    if _CONTENT_KEY.fullmatch(text):
        message = "This is the Content API key. Enter the Admin API key, which has a colon in the middle."
        raise invalid_field(field, message)
    raise invalid_field(field, "This is not an Admin API key. Copy the whole key, with the colon in it.")


def url_of_slug(slug: str, _remote: RemotePost, access: Access) -> str:
    """Return the address at which Ghost shows the post with a slug, unless its routes were changed."""
    return urljoin(str(access.settings["url"]), f"{_segment(slug)}/")


GHOST: Final = TargetKind(
    name="ghost",
    title="Ghost",
    summary="Posts appear in your Ghost site, live or as drafts, with image, tags and excerpt.",
    unpublishing="Unpublish it here; or open the post in Ghost, choose Unpublish, then confirm it here.",
    settings=(
        Setting(
            "url",
            label="Address of your site",
            hint="In Ghost, the page of the custom integration shows it as “API URL”.",
            check=checked_address,
            placeholder="https://example.com/",
            is_address=True,
        ),
        default_status("Live at once", "Drafts in Ghost"),
    ),
    find=find,
    create=create,
    write=write,
    unpublish=unpublish,
    delete=delete,
    post_with_slug=post_with_slug,
    url_of_slug=url_of_slug,
    check=check,
    has_drafts=True,
    shows_posts=True,
    secret=EnteredSecret(
        label="Admin API key",
        hint="In Ghost: Settings, Integrations, Add custom integration. Copy the Admin API key.",
        check=checked_key,
        steps=(
            ("Settings, then Integrations", "In Ghost Admin, signed in as owner or administrator."),
            ("Add custom integration", "Give it any name, such as that of this service."),
            ("Copy the Admin API key", "The long one with a colon in it, not the Content API key."),
        ),
    ),
)


def _get(external_id: str | None, access: Access) -> SmallResponse:
    return request(access, "GET", f"posts/{_segment(external_id)}/?{_ANSWERED_WITH_HTML}")


def _put(here: RemotePost, members: Mapping[str, Any], access: Access, query: str) -> SmallResponse:
    post = {**members, "updated_at": here.version}
    return send(access, "PUT", f"posts/{_segment(here.external_id)}/?{query}", post)


def _by_id(external_id: str | None, access: Access) -> RemotePost | None:
    response = _get(external_id, access)
    return None if is_gone(response) else remote_of(only_post(response))


def _by_slug(slug: str, access: Access) -> list[dict[str, Any]]:
    if not slug:
        return []
    response = request(access, "GET", f"posts/slug/{_segment(slug)}/?{_ANSWERED_WITH_HTML}")
    return [] if is_gone(response) else posts_of(response)


def _segment(text: str | None) -> str:
    return quote(text or "", safe="")


def _collided(response: SmallResponse) -> bool:
    return response.status == 409 and error_of(response).get("code") == "UPDATE_COLLISION"


def _has(here: RemotePost, document: Document) -> bool:
    is_visible = here.status != "draft"
    return here.digest == document.digest and is_visible == (document.visibility == "live")


def _require_draft(response: SmallResponse) -> None:
    if only_post(response)["status"] != "draft":
        raise PublishProblem(failure("UNPUBLISH_NOT_CONFIRMED", details=details_of(response)), UNKNOWN)


def _status(document: Document, here: RemotePost) -> dict[str, str]:
    """Return the status to set. A post that is live stays as it is: published, scheduled or sent."""
    if document.visibility == "draft":
        return {"status": "draft"}
    return {"status": "published"} if here.status == "draft" else {}
