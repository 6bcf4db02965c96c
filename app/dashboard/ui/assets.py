"""Style sheets, scripts, pictures and icons. Their URLs contain a digest of the content.

The style sheets of app/static/css are sent as one file. Bootstrap's icons come from an installed package.
Nothing is copied into the repository, and nothing is loaded from another host.
"""

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import flask_bootstrap
from flask import Blueprint, Response, abort, g, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from app.config import ROOT
from app.dashboard.ui.bundles import as_one

BOOTSTRAP: Final = Path(flask_bootstrap.__file__).parent / "static" / "bootstrap5"
OWN: Final = ROOT / "app" / "static"

SHEETS: Final = (
    "tokens",
    "base",
    "frame",
    "controls",
    "parts",
    "tables",
    "charts",
    "prose",
    "compare",
    "writing",
    "calendar",
    "visitors",
    "last",
)
"""The style sheets in the order in which they apply."""

BUNDLES: Final = {
    "signed-in.js": ("app", "shortcuts"),
    "live-list.js": ("live", "pages"),
    "first-post.js": ("live", "first-visit"),
    "writing.js": (
        "editor",
        "editor-text",
        "editor-side",
        "editor-title",
        "editor-descriptions",
        "editor-pictures",
    ),
}

FILES: Final = {
    "app.css": tuple(OWN / "css" / f"{name}.css" for name in SHEETS),
    "api-docs.css": (OWN / "css" / "tokens.css", OWN / "css" / "api-docs.css"),
    "styleguide.css": (OWN / "css" / "styleguide.css",),
    "mark.svg": (OWN / "mark.svg",),
    **{path.name: (path,) for path in (*sorted(OWN.glob("*.js")), *OWN.glob("pictures/*.webp"))},
    **{bundle: tuple(OWN / f"{name}.js" for name in names) for bundle, names in BUNDLES.items()},
}

_IMPORTED: Final = re.compile(rb'"\./([\w-]+\.js)"')

blueprint = Blueprint("assets", __name__, url_prefix="/assets")


@dataclass(frozen=True)
class Asset:
    """One file, ready to send; ``packed`` is its compressed form, None for a picture of pixels."""

    digest: str
    media_type: str
    plain: bytes
    packed: bytes | None


def asset_url(name: str) -> str:
    """Return the URL of an asset, which changes with its content. Raises KeyError for an unknown name."""
    return url_for("assets.send", digest=_asset(name).digest, name=name)


@blueprint.get("/<digest>/<name>")
def send(digest: str, name: str) -> ResponseReturnValue:
    """Send an asset, cacheable for a year if the URL has the current digest."""
    if name not in FILES:
        abort(404)
    asset = _asset(name)
    response = _response(asset)
    response.cache_control.public = True
    response.cache_control.max_age = 31_536_000 if digest == asset.digest else 60
    response.cache_control.immutable = digest == asset.digest
    return response


def _response(asset: Asset) -> Response:
    response = Response(asset.plain, content_type=asset.media_type)
    if asset.packed is None:
        return response
    if request.accept_encodings.quality("gzip") > 0:
        response.set_data(asset.packed)
        response.content_encoding = "gzip"
    response.vary.add("Accept-Encoding")
    return response


def _asset(name: str) -> Asset:
    paths = FILES[name]
    return _read(name, paths, tuple(path.stat().st_mtime_ns for path in paths))


@lru_cache(maxsize=64)
def _read(name: str, paths: tuple[Path, ...], _changed_at: tuple[int, ...]) -> Asset:
    plain = _IMPORTED.sub(_with_digest, _content(paths))
    media_type = mimetypes.guess_type(name, strict=False)[0] or "application/octet-stream"
    text = media_type.startswith("text/")
    pixels = media_type.startswith("image/") and not name.endswith(".svg")
    return Asset(
        digest=hashlib.sha256(plain).hexdigest()[:16],
        media_type=f"{media_type}; charset=utf-8" if text else media_type,
        plain=plain,
        packed=None if pixels else gzip.compress(plain, 9, mtime=0),
    )


def _with_digest(imported: re.Match[bytes]) -> bytes:
    name = imported[1].decode()
    return f'"../{_asset(name).digest}/{name}"'.encode()


def _content(paths: tuple[Path, ...]) -> bytes:
    if len(paths) > 1 and paths[0].suffix == ".js":
        return as_one(path.read_text(encoding="utf-8") for path in paths).encode()
    return b"\n".join(path.read_bytes() for path in paths)


def icon(name: str) -> Markup:
    """Return a decorative icon; the words beside it carry the meaning. Raises KeyError if unknown."""
    shown: dict[str, str] = g.setdefault("icons", {})
    shown[name] = _symbols()[name]
    return Markup('<svg class="icon" aria-hidden="true" focusable="false"><use href="#i-{}"/></svg>').format(
        name
    )


def icon_sheet() -> Markup:
    """Return the drawings of the icons shown so far, for the end of the page; nothing if there are none."""
    shown: dict[str, str] = g.get("icons", {})
    if not shown:
        return Markup()
    return Markup(f"<svg hidden>{''.join(shown.values())}</svg>")  # noqa: S704 - drawings of the package


@lru_cache(maxsize=1)
def _symbols() -> dict[str, str]:
    sprite = (BOOTSTRAP / "icons" / "bootstrap-icons.svg").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for attributes, shapes in re.findall(r"<symbol([^>]*)>(.*?)</symbol>", sprite, re.DOTALL):
        facts = dict(re.findall(r'([\w-]+)="([^"]*)"', attributes))
        box, name = facts["viewBox"], facts["id"]
        found[name] = f'<symbol id="i-{name}" viewBox="{box}" fill="currentColor">{shapes.strip()}</symbol>'
    return found


GLOBALS: Final = (asset_url, icon, icon_sheet)
