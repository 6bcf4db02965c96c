"""The cover of a post in WordPress' media library, uploaded once."""

from __future__ import annotations

from typing import Any, Final

from app.failures import failure
from app.publishing.targets.base import UNKNOWN, Picture, PublishProblem
from app.publishing.targets.wordpress.api import Api, answer_of

_ROUTE: Final = "wp/v2/media"


def picture_id(api: Api, picture: Picture) -> int:
    """Return the id of a picture in the media library, uploaded if need be. Raises PublishProblem."""
    item = _item(api, picture) or _uploaded(api, picture)
    number = item.get("id")
    if type(number) is not int:
        message = "The site answered without the id of the picture."
        raise PublishProblem(failure("PUBLISH_ENDPOINT_FAILED", message), UNKNOWN)
    if item.get("alt_text") != picture.alt:
        api.post(f"{_ROUTE}/{number}", {"alt_text": picture.alt})
    return number


def _item(api: Api, picture: Picture) -> dict[str, Any] | None:
    """Return the media item of a picture: its slug is the file's name."""
    slug = picture.file_name.rpartition(".")[0]
    items = api.read(_ROUTE, {"slug": slug, "_fields": "id,slug,alt_text"})
    return next((item for item in items if isinstance(item, dict) and item.get("slug") == slug), None)


def _uploaded(api: Api, picture: Picture) -> dict[str, Any]:
    headers = {
        "Content-Type": picture.media_type,
        "Content-Disposition": f'attachment; filename="{picture.file_name}"',
    }
    item = answer_of(api.request("POST", _ROUTE, None, picture.data, headers), 201)
    return item if isinstance(item, dict) else {}
