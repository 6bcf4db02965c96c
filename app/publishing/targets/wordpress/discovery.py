"""Find the REST API of a WordPress site from the address of any of its pages.

GET the page, following redirects | the Link header, or the link element, names the API
                                  | neither: /wp-json/ and /?rest_route=/ are tried

The API must be on the same site as the address, and encrypted: the calls carry a password.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

from app.failures import failure
from app.infra.hosts import InvalidUrl, split_url
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.response import Response
from app.infra.urls import authority_of, host_of, normalise, same_site
from app.publishing.targets.base import CALL_SECONDS, NOT_DELIVERED, Access, PublishProblem
from app.publishing.targets.http_calls import bare_address, problem_of_fetch
from app.publishing.targets.wordpress.api import Api, error_code

_REL: Final = "https://api.w.org/"
_HEADER: Final = re.compile(r'<([^>]*)>\s*;[^,<]*\brel="?https://api\.w\.org/"?')
_ELEMENT: Final = re.compile(r"<link\b[^>]*>", re.IGNORECASE)
_HREF: Final = re.compile(r"""\bhref\s*=\s*["']([^"']*)["']""", re.IGNORECASE)
_LOGIN: Final = re.compile(r"wp-login\.php|/login\b|/signin\b|/sso\b", re.IGNORECASE)
_PASSWORD_FIELD: Final = re.compile(r"""<input\b[^>]*\btype\s*=\s*["']?password""", re.IGNORECASE)
_ADMIN_PAGE: Final = re.compile(r"/(?:wp-admin|wp-login\.php|wp-json)\b.*")
_MOST_HTML: Final = 512 * 1024
_MOST_FOLDERS: Final = 3


@dataclass(frozen=True)
class Page:
    """What the address of the blog answered. ``url`` is that after redirects, ``api`` what the page names."""

    url: str
    status: int
    api: str | None
    is_login: bool


def find_api(access: Access) -> Api:
    """Return the API of the target's site. Raises PublishProblem; nothing was delivered then."""
    return api_of(open_page(access), access)


def open_page(access: Access) -> Page:
    """Return what the target's address answers. Raises PublishProblem if it cannot be reached."""
    url = access.settings["url"]
    seconds = min(CALL_SECONDS, access.http.policy.total_seconds)

    def refuse_other_site(target: str) -> None:
        if not _is_same_site(url, target):
            raise _moved(target)

    try:
        with access.http.get(url, total_seconds=seconds, before_following=refuse_other_site) as response:
            return _page(response)
    except FetchError as error:
        if error.kind is FetchErrorKind.REDIRECT:  # in a circle, as pages to sign in do without cookies
            return Page(url, 302, None, True)
        raise PublishProblem(problem_of_fetch(error, url).failure, NOT_DELIVERED) from error


def api_of(page: Page, access: Access) -> Api:
    """Return the API that a page names, or one where WordPress usually has it. Raises PublishProblem."""
    root = page.api or next((each for each in _usual_roots(page.url) if _is_root(each, access)), None)
    if root is None:
        raise _not_found(page)
    return Api(_accepted(root, page, access), access)


def _page(response: Response) -> Page:
    named = _HEADER.search(response.headers.get("link", ""))
    if named is not None:
        return Page(response.url, response.status, urljoin(response.url, named[1]), False)
    text = _start_of(response)
    elements = (each for each in _ELEMENT.findall(text) if _REL in each)
    link = next((found[1] for each in elements if (found := _HREF.search(each))), None)
    api = None if link is None else urljoin(response.url, html.unescape(link))
    is_login = (
        response.status in (401, 403)
        or _LOGIN.search(urlsplit(response.url).path) is not None
        or _PASSWORD_FIELD.search(text) is not None
    )
    return Page(response.url, response.status, api, is_login)


def _start_of(response: Response) -> str:
    """Return the start of a page; of one that is cut off, or too slow, what was read of it."""
    read = b""
    try:
        for piece in response.chunks():
            read += piece
            if len(read) >= _MOST_HTML or (b"</head>" in read and _REL.encode() in read):
                break
    except FetchError:
        pass
    return read.decode("utf-8", "replace")


def _usual_roots(url: str) -> Iterator[str]:
    parts = urlsplit(url)
    names = [name for name in _ADMIN_PAGE.sub("", parts.path).split("/") if name][:_MOST_FOLDERS]
    for count in range(len(names), -1, -1):
        folder = "/".join(["", *names[:count], ""])
        yield f"{parts.scheme}://{parts.netloc}{folder}wp-json/"
        yield f"{parts.scheme}://{parts.netloc}{folder}?rest_route=/"


def _is_root(root: str, access: Access) -> bool:
    try:
        response = Api(root, access).request("GET", "", is_anonymous=True)
    except PublishProblem:
        return False
    if response.status in (401, 403):
        return error_code(response) != ""
    return response.status == 200 and b'"wp/v2"' in response.body.replace(b"\\/", b"/")


def _accepted(root: str, page: Page, access: Access) -> str:
    if not _is_same_site(access.settings["url"], root):
        raise _moved(root)
    url = normalise(root)
    if page.url.startswith("https:") and authority_of(url) == authority_of(normalise(page.url)):
        url = url.replace("http:", "https:", 1)  # WordPress behind a proxy may not know of its encryption
    parts = split_url(url)
    if parts.scheme == "http" and (parts.host.text, parts.port) not in access.http.policy.allow:
        message = "The site is not encrypted (http), so the application password could be read on its way."
        hints = ["Switch the site to https, then enter its https address here."]
        raise PublishProblem(failure("URL_NOT_ALLOWED", message, hints=hints), NOT_DELIVERED)
    return url


def _is_same_site(url: str, other: str) -> bool:
    try:
        return same_site(normalise(url), normalise(other))
    except InvalidUrl:
        return False


def _moved(target: str) -> PublishProblem:
    try:
        place = host_of(normalise(target))
    except InvalidUrl:
        place = "another site"
    message = f"The address leads to another site, {place}."
    hints = [
        f"If your blog is at {place}, enter that address. If it is a page to sign in, the site must be "
        "reachable without signing in."
    ]
    return PublishProblem(failure("TARGET_API_NOT_FOUND", message, hints=hints), NOT_DELIVERED)


def _not_found(page: Page) -> PublishProblem:
    message, hint = (
        "The address answers, but it is not a WordPress site, or its REST API is switched off.",
        "Check the address. If it is WordPress, look for a plugin that switches the REST API off "
        "(security plugins often do), and switch it on again.",
    )
    if page.is_login:
        message, hint = (
            "The site is behind a page to sign in, so WordPress' REST API cannot be reached.",
            "Make the site public, or ask whoever runs it to let requests to /wp-json/ through.",
        )
    details = {"address": bare_address(page.url), "status": page.status}
    failed = failure("TARGET_API_NOT_FOUND", message, hints=[hint], details=details)
    return PublishProblem(failed, NOT_DELIVERED)
