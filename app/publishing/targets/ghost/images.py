"""Images of posts in Ghost: uploaded once for each post, and known again by their file names."""

import re
import secrets
from collections.abc import Mapping
from html import unescape
from typing import Any, Final
from urllib.parse import urlsplit

from app.infra.urls import InvalidUrl, normalise
from app.publishing.targets.base import Access, Picture
from app.publishing.targets.ghost.api import problem_of, request
from app.publishing.targets.ghost.post import cut
from app.publishing.targets.http_calls import json_of, unusable

_MOST_ALT: Final = 125
"""Ghost 5.130 takes 191 characters; its first versions took 125."""
_SOURCE: Final = re.compile(r'<img\b[^>]*?\bsrc="(https?://[^"]+)"')


def image_members(picture: Picture | None, present: Any, access: Access) -> dict[str, Any]:
    """Return the members of a post that show the picture; upload it unless ``present`` is its address.

    ``present`` is the post's feature image. Raises PublishProblem.
    """
    if picture is None:
        return {}
    url = present if _is_of(present, picture) else _upload(picture, access)
    return {"feature_image": url, "feature_image_alt": cut(picture.alt, _MOST_ALT)}


def image_addresses(pictures: Mapping[int, Picture], present: Any, access: Access) -> dict[int, str]:
    """Return the addresses of pictures at the site, by their ids here; upload those not ``present``.

    ``present`` is the HTML of the post as it is there. Raises PublishProblem.
    """
    found = _SOURCE.findall(present) if isinstance(present, str) else []
    shown = [unescape(url) for url in found]
    return {
        image_id: next((url for url in shown if _is_of(url, picture)), None) or _upload(picture, access)
        for image_id, picture in pictures.items()
    }


def _is_of(url: Any, picture: Picture) -> bool:
    """Return whether the address is that of the picture: Ghost may add a number to its file name."""
    if not isinstance(url, str):
        return False
    name = urlsplit(url).path.rpartition("/")[2]
    stem, _, ending = picture.file_name.rpartition(".")
    return name.startswith(stem) and name.endswith(f".{ending}")


def _upload(picture: Picture, access: Access) -> str:
    boundary = secrets.token_hex(16)
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{picture.file_name}"\r\n'
        f"Content-Type: {picture.media_type}\r\n\r\n"
    )
    body = head.encode() + picture.data + f"\r\n--{boundary}--\r\n".encode()
    kind = f"multipart/form-data; boundary={boundary}"
    response = request(access, "POST", "images/upload/", body, kind)
    if response.status not in (200, 201):
        raise problem_of(response)
    try:
        return normalise(json_of(response)["images"][0]["url"])
    except (KeyError, IndexError, TypeError, AttributeError, InvalidUrl):
        raise unusable(response) from None
