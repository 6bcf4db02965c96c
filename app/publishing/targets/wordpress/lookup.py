"""Finds the post of a publication in WordPress: by id, by slug, among the account's posts, by search.

A plugin may hide posts from each of these, so an empty search alone does not prove that there is no post.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, cast

from app.failures import failure
from app.infra.clock import utc_now
from app.infra.http.response import SmallResponse
from app.publishing.targets.base import UNKNOWN, PublishProblem, Reference
from app.publishing.targets.http_calls import clock_ahead
from app.publishing.targets.wordpress.api import Api, Query, answer_of, error_code, unusable
from app.publishing.targets.wordpress.posts import SLUG_VARIANTS, Post, is_of, is_post, marker_of, original

POSTS: Final = "wp/v2/posts"
_FIELDS: Final = "id,slug,status,link,title.raw,content.raw,excerpt.raw"
_MARGIN: Final = timedelta(minutes=10)
_PAGE_SIZE: Final = 50
_MOST_PAGES: Final = 10


def find_post(api: Api, reference: Reference) -> Post | None:
    """Return the post of a reference; None if it is in the trash or the site certainly does not have it.

    Raises PublishProblem if the site gives no clear answer, for instance because it refuses the credentials.
    """
    if reference.external_id is not None:
        post = post_by_id(api, reference.external_id)
        if post is not None and (marker_of(post) is None or is_of(post, reference.publication_id)):
            return post
    own = account(api)  # raises if the credentials fail: then an empty result would prove nothing
    return (
        _by_slug(api, reference)
        or (_in_own_list(api, reference, own) if reference.external_id is None else None)
        or _by_search(api, reference)
    )


def post_by_id(api: Api, external_id: str) -> Post | None:
    """Return a post, or None if the site says that it is gone or in the trash. Raises PublishProblem."""
    response = api.request("GET", f"{POSTS}/{external_id}", {"context": "edit"})
    if is_gone(response):
        return None
    post = post_of(response, 200)
    return None if post["status"] == "trash" else post


def only_post_with_slug(api: Api, slug: str) -> Post | None:
    """Return the one post with a slug that the account may change; None if there are none or several."""
    posts, _ = _listed(api, {"slug": slug, "per_page": 10})
    found = [cast(Post, post) for post in posts if is_post(post)]
    return found[0] if len(found) == 1 else None


def is_gone(response: SmallResponse) -> bool:
    code = error_code(response)
    return code == "rest_post_invalid_id" or (response.status == 410 and code != "")


def post_of(response: SmallResponse, status: int) -> Post:
    """Return the post in a response with this status. Raises PublishProblem."""
    post = answer_of(response, status)
    if not is_post(post):
        raise unusable(response)
    return cast(Post, post)


@dataclass(frozen=True)
class Account:
    """Who the credentials belong to. The site's clock is ``ahead`` of ours, or behind if negative."""

    id: int
    name: str
    capabilities: Mapping[str, Any]
    ahead: timedelta


def account(api: Api) -> Account:
    """Return the account that the credentials belong to. Raises PublishProblem, also if they are wrong."""
    response = api.request("GET", "wp/v2/users/me", {"context": "edit"})
    user = answer_of(response, 200)
    if not isinstance(user, dict) or type(user.get("id")) is not int:
        raise unusable(response)
    capabilities = user.get("capabilities")
    return Account(
        user["id"],
        str(user.get("name") or ""),
        capabilities if isinstance(capabilities, dict) else {},
        clock_ahead(response),
    )


def _by_slug(api: Api, reference: Reference) -> Post | None:
    if not reference.slug:
        return None
    slugs = [reference.slug, *(f"{reference.slug}-{number}" for number in range(2, SLUG_VARIANTS + 1))]
    posts, _ = _listed(api, {"slug": ",".join(slugs), "per_page": 100})
    return original(posts, reference)


def _in_own_list(api: Api, reference: Reference, own: Account) -> Post | None:
    since = (reference.began_at or utc_now()) + own.ahead - _MARGIN
    query: Query = {
        "author": own.id,
        "modified_after": since.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "orderby": "modified",
        "order": "asc",
        "per_page": _PAGE_SIZE,
    }
    for page in range(1, _MOST_PAGES + 1):
        posts, pages = _listed(api, {**query, "page": page})
        found = original(posts, reference)
        if found is not None or page >= pages:
            return found
    message = "The account changed too many posts meanwhile to know whether this one is among them."
    raise PublishProblem(failure("PUBLISH_ENDPOINT_FAILED", message), UNKNOWN)


def _by_search(api: Api, reference: Reference) -> Post | None:
    posts, _ = _listed(api, {"search": reference.publication_id, "per_page": 10})
    return original(posts, reference)


def _listed(api: Api, query: Query) -> tuple[list[Any], int]:
    common: Query = {"status": "any", "context": "edit", "_fields": _FIELDS}
    response = api.request("GET", POSTS, {**common, **query})
    posts = answer_of(response, 200)
    pages = response.headers.get("x-wp-totalpages", "")
    if not isinstance(posts, list) or not pages.isdecimal():
        raise unusable(response)
    return posts, int(pages)
