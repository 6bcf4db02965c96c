"""The kind of target: its settings, and what each call does at WordPress.

find | by id, by slug, in the account's list, by search
create | images, cover, tags and categories, then a hidden draft that carries the publication's marker
write | text, images, cover and visibility by the post's id; tags, categories, author and date are the site's
unpublish | back to draft, then the site is asked whether readers still see it
delete | a hidden draft of ours for good
"""

from contextlib import suppress
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode, urljoin

from app.failures import failure, invalid_field
from app.infra.checks import outbound_url
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
from app.publishing.targets.problems import slug_taken
from app.publishing.targets.text_images import at_addresses
from app.publishing.targets.wordpress.api import Api, answer_of
from app.publishing.targets.wordpress.check import check
from app.publishing.targets.wordpress.discovery import find_api
from app.publishing.targets.wordpress.lookup import (
    POSTS,
    find_post,
    is_gone,
    only_post_with_slug,
    post_by_id,
    post_of,
)
from app.publishing.targets.wordpress.media import picture_addresses, picture_id
from app.publishing.targets.wordpress.posts import Post, live_address, marker_of, remote_of, text_fields
from app.publishing.targets.wordpress.terms import CATEGORIES, TAGS, listed, term_ids

_LIVE: Final = ("publish", "future")


def find(reference: Reference, access: Access) -> RemotePost | None:
    post = find_post(find_api(access), reference)
    return None if post is None else remote_of(post, reference.slug)


def create(document: Document, access: Access) -> RemotePost:
    """Make a hidden draft with the document's text, cover, tags and the target's categories."""
    api = find_api(access)
    pages = _addresses_of_pages(document.post["slug"], api)
    addresses = picture_addresses(api, document.images)
    fields = {
        **text_fields(at_addresses(document, addresses)),
        "status": "draft",
        **_cover(document, api),
        **_terms(document, api),
    }
    post = post_of(api.send(POSTS, fields), 201)
    if live_address(post, post["slug"]) in pages:
        with suppress(PublishProblem):
            _delete(post["id"], api)
        raise slug_taken({"slug": document.post["slug"]})
    return replace(_remote(post, document), image_addresses=addresses)


def write(document: Document, remote: RemotePost, access: Access) -> RemotePost:
    """Give a post the document's text and visibility. Repeated calls change nothing more."""
    api = find_api(access)
    _refuse_address_of_page(document, remote, api)
    addresses = remote.image_addresses
    if not document.images.keys() <= addresses.keys():
        addresses = picture_addresses(api, document.images)
    fields = text_fields(at_addresses(document, addresses))
    if remote.digest != document.digest:
        fields |= _cover(document, api)
    if remote.status == document.visibility == "draft":
        del fields["status"]  # what hides it, such as a review that is pending, belongs to the site
    post = post_of(api.send(f"{POSTS}/{remote.external_id}", fields), 200)
    if (document.visibility == "live") != (post["status"] in _LIVE):
        raise _other_status(post, document)
    return _remote(post, document)


def unpublish(remote: RemotePost, access: Access) -> None:
    """Make a post a draft again, and ask the site as an editor and as a reader whether it is one."""
    api = find_api(access)
    post = _post(api, remote)
    if post is None:
        return
    if post["status"] in _LIVE:
        post_of(api.send(f"{POSTS}/{remote.external_id}", {"status": "draft"}), 200)
        post = _post(api, remote)
    if post is not None and post["status"] in _LIVE:
        raise PublishProblem(failure("UNPUBLISH_NOT_CONFIRMED"), UNKNOWN)
    reader = api.request("GET", f"{POSTS}/{remote.external_id}", is_anonymous=True)
    if reader.status == 200:
        raise PublishProblem(failure("UNPUBLISH_NOT_CONFIRMED"), UNKNOWN)


def delete(remote: RemotePost, access: Access) -> None:
    """Remove a hidden draft of ours for good. One that is gone already is as wanted."""
    api = find_api(access)
    post = _post(api, remote)
    if post is None:
        return
    if post["status"] in _LIVE:
        raise _refused("The post is live at WordPress. Unpublish it before it is removed.")
    if marker_of(post) is None:
        raise _refused("The draft at WordPress no longer carries the mark of this service, so it is kept.")
    _delete(post["id"], api)


def post_with_slug(slug: str, access: Access) -> RemotePost | None:
    """Return the post that has a slug, if it is one that the account may change."""
    post = only_post_with_slug(find_api(access), slug)
    return None if post is None else remote_of(post, slug)


def url_of_slug(slug: str, remote: RemotePost, _access: Access) -> str:
    """Return the address that leads to the post with a slug: the blog's own, as in the link of a draft."""
    return urljoin(remote.url, f"?{urlencode({'name': slug})}")


def application_password(text: str, path: str) -> str:
    """Return an application password without its spaces. Raises INVALID_REQUEST, which does not repeat it."""
    password = "".join(text.split())
    if not password.isascii() or not password.isprintable():
        raise invalid_field(path, "Copy the application password as WordPress shows it: letters and digits.")
    return password


def _username(text: str, path: str) -> str:
    if ":" in text:
        raise invalid_field(path, "A user name of WordPress has no colon.")
    return text


def _delete(number: int, api: Api) -> None:
    response = api.request("DELETE", f"{POSTS}/{number}", {"force": "true"})
    if not is_gone(response):
        answer_of(response, 200)


def _refuse_address_of_page(document: Document, remote: RemotePost, api: Api) -> None:
    slug = document.post["slug"]
    if document.visibility == "draft" or (remote.status == "live" and remote.slug == slug):
        return
    pages = _addresses_of_pages(slug, api)
    post = _post(api, remote) if pages else None
    if post is not None and live_address(post, slug) in pages:
        raise slug_taken({"slug": slug})


def _addresses_of_pages(slug: str, api: Api) -> list[str]:
    """Return the addresses of pages with a slug: WordPress shows a page before a post of the same address."""
    pages = api.read("wp/v2/pages", {"slug": slug, "_fields": "link"})
    return (
        [str(page.get("link")) for page in pages if isinstance(page, dict)] if isinstance(pages, list) else []
    )


def _cover(document: Document, api: Api) -> dict[str, int]:
    return {} if document.picture is None else {"featured_media": picture_id(api, document.picture)}


def _terms(document: Document, api: Api) -> dict[str, list[int]]:
    categories = listed(api.access.settings.get("category") or "")
    found = {
        "tags": term_ids(api, TAGS, document.post["tags"] or []),
        "categories": term_ids(api, CATEGORIES, categories),
    }
    return {name: ids for name, ids in found.items() if ids}


def _post(api: Api, remote: RemotePost) -> Post | None:
    return None if remote.external_id is None else post_by_id(api, remote.external_id)


def _remote(post: Post, document: Document) -> RemotePost:
    return replace(remote_of(post, document.post["slug"]), digest=document.digest)


def _other_status(post: Post, document: Document) -> PublishProblem:
    message = f"WordPress saved the post with the status “{post['status']}” instead."
    hints = ["A plugin of the site may hold posts back. Look at the post there, then publish again."]
    is_changed = document.is_update or post["status"] in _LIVE
    failed = failure("PUBLISH_REJECTED", message, hints=hints)
    return PublishProblem(failed, UNKNOWN if is_changed else NOT_DELIVERED)


def _refused(message: str) -> PublishProblem:
    return PublishProblem(
        failure("PUBLISH_REJECTED", message, hints=["Look at the post in WordPress."]), NOT_DELIVERED
    )


WORDPRESS: Final = TargetKind(
    name="wordpress",
    title="WordPress",
    summary="Posts go to your WordPress blog: live, or as drafts that you finish there.",
    unpublishing="The post becomes a draft in WordPress again, and WordPress is asked whether it is one.",
    settings=(
        Setting(
            "url",
            label="Address of the blog",
            hint="Any page of it.",
            check=outbound_url,
            placeholder="https://example.com/blog/",
            is_address=True,
        ),
        Setting(
            "username",
            label="User name",
            hint="The account that publishes. Its role is Author, Editor or Administrator.",
            check=_username,
        ),
        default_status("Live at once", "Drafts in WordPress"),
        Setting(
            "category",
            label="Category",
            hint="Names or ids, separated by commas. Empty: the blog's default category.",
            required=False,
        ),
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
        label="Application password",
        hint="In WordPress: Users → Profile → Application Passwords. Enter a name, add it, and copy the "
        "password here. The password that you sign in with does not work.",
        check=application_password,
        steps=(
            ("Users, then Profile", "In WordPress, signed in as the user whose name you enter here."),
            (
                "Application Passwords",
                "Near the end of the page. Give it any name, such as that of this service.",
            ),
            ("Add, then copy", "Four characters, six times. Spaces do not matter."),
        ),
    ),
)
