"""The cover of a post and the images of its text in WordPress' media library, each uploaded once."""

from collections.abc import Mapping
from typing import Any, Final

from app.failures import failure
from app.infra.urls import InvalidUrl, normalise
from app.publishing.targets.base import UNKNOWN, Picture, PublishProblem
from app.publishing.targets.wordpress.api import Api, answer_of

_ROUTE: Final = "wp/v2/media"


def picture_id(api: Api, picture: Picture) -> int:
    """Return the id of a picture in the media library, uploaded if need be. Raises PublishProblem."""
    return _in_library(api, picture)[0]


def picture_addresses(api: Api, pictures: Mapping[int, Picture]) -> dict[int, str]:
    """Return where the site shows pictures, uploaded if need be, by their ids here. Raises PublishProblem."""
    return {image_id: _address(api, picture) for image_id, picture in pictures.items()}


def _address(api: Api, picture: Picture) -> str:
    _, item = _in_library(api, picture)
    try:
        return normalise(str(item.get("source_url")))
    except InvalidUrl:
        raise _unusable("address") from None


def _in_library(api: Api, picture: Picture) -> tuple[int, Mapping[str, Any]]:
    item = _item(api, picture) or _uploaded(api, picture)
    number = item.get("id")
    if type(number) is not int:
        raise _unusable("id")
    if picture.alt and item.get("alt_text") != picture.alt:
        answer_of(api.send(f"{_ROUTE}/{number}", {"alt_text": picture.alt}), 200)
    return number, item


def _unusable(member: str) -> PublishProblem:
    message = f"The site answered without the {member} of the picture."
    return PublishProblem(failure("PUBLISH_ENDPOINT_FAILED", message), UNKNOWN)


def _item(api: Api, picture: Picture) -> dict[str, Any] | None:
    """Return the media item of a picture: its slug is the file's name."""
    slug = picture.file_name.rpartition(".")[0]
    items = api.read(_ROUTE, {"slug": slug, "_fields": "id,slug,alt_text,source_url"})
    return next((item for item in items if isinstance(item, dict) and item.get("slug") == slug), None)


def _uploaded(api: Api, picture: Picture) -> dict[str, Any]:
    headers = {
        "Content-Type": picture.media_type,
        "Content-Disposition": f'attachment; filename="{picture.file_name}"',
    }
    item = answer_of(api.request("POST", _ROUTE, None, picture.data, headers), 201)
    return item if isinstance(item, dict) else {}
