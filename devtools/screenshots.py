"""bin/screenshots: the pictures of the landing page, README and docs, made from the demo's content.

    a service with an empty database -> the demo's content -> browser -> app/static/pictures, docs/pictures

A running bin/dev is left alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from app.config import Settings, load_settings
from app.factory import create_app
from app.failures import ServiceFailure
from devtools import demo_site, local, tied
from devtools.chromium import ARGUMENTS, find_chromium
from devtools.demo import password_of, service_address, start_service
from devtools.demo_content import EMAIL, DemoFailed, Shown, prepare
from devtools.dev import environment
from devtools.embedded_redis import RedisUnavailable, start_server
from devtools.picture_content import fill
from devtools.postgres import free_port

WIDTH: Final = 1280
HEIGHT: Final = 800
LARGEST: Final = 40_000
"""Bytes that a picture may have."""

COLOURS: Final = (256, 192, 128, 96, 64)
LANDING: Final = Path("app/static/pictures")
DOCS: Final = Path("docs/pictures")
Theme = Literal["light", "dark"]


@dataclass(frozen=True)
class Picture:
    """One page, ``{project}`` and ``{post}`` in its path, and what is clicked before it is taken."""

    file: Path
    path: str
    click: str | None = None
    theme: Theme = "light"


PICTURES: Final = (
    Picture(LANDING / "post-light.webp", "/projects/{project}/posts/{post}", ".said >> nth=2"),
    Picture(LANDING / "post-dark.webp", "/projects/{project}/posts/{post}", ".said >> nth=2", "dark"),
    Picture(DOCS / "overview.webp", "/projects/{project}"),
    Picture(DOCS / "generate.webp", "/projects/{project}/posts/generate?topic=Swap+shifts"),
)


def main() -> int:
    """Make all pictures. Returns the exit status."""
    try:
        with TemporaryDirectory(prefix="seo-pictures-") as folder, ExitStack() as stack:
            make(local.ROOT, Path(folder), stack)
    except (DemoFailed, RedisUnavailable, ServiceFailure) as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    return 0


def make(root: Path, folder: Path, stack: ExitStack) -> None:
    """Start everything in ``folder`` and write the pictures below ``root``. Raises DemoFailed."""
    chromium = find_chromium()
    if chromium is None:
        raise DemoFailed("There is no Chromium (Debian: apt-get install chromium).")
    site = free_port()
    env = own_environment(root, folder, site)
    settings = replace(load_settings(env), log_level="WARNING")
    redis = start_server(folder / "redis.sock", stack.enter_context((folder / "redis.log").open("wb")))
    stack.callback(tied.stop, redis)
    stack.enter_context(demo_site.served(site))
    start_service(env, root, stack)
    shown = content(settings, f"http://127.0.0.1:{site}")
    driver = stack.enter_context(sync_playwright())
    browser = driver.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
    stack.callback(browser.close)
    for picture in PICTURES:
        with signed_in(
            browser, f"http://{service_address(env)}", password_of(settings), picture.theme
        ) as page:
            data = webp(taken(page, picture, shown))
        path = root / picture.file
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        print(f"{picture.file}: {len(data) / 1000:.0f} KB", flush=True)


def own_environment(root: Path, folder: Path, site: int) -> dict[str, str]:
    """Return the settings of a service of its own, which may read the sample site at port ``site``."""
    return environment(root) | {
        "DATABASE_URL": f"sqlite:///{folder / 'seo.sqlite3'}",
        "REDIS_URL": f"unix://{quote(str(folder / 'redis.sock'))}",
        "BIND_ADDRESS": "127.0.0.1",
        "PORT": str(free_port()),
        "FETCH_ALLOW": f"127.0.0.1:{site}",
    }


def content(settings: Settings, site: str) -> Shown:
    """Make the content that the pictures show."""
    with create_app(settings).app_context():
        shown = prepare(site, password_of(settings), lambda: None)
        fill(shown.project_id)
    return shown


@contextmanager
def signed_in(browser: Browser, base: str, password: str, theme: Theme) -> Iterator[Page]:
    """Yield a page of the demo's account."""
    context = browser.new_context(
        base_url=base,
        viewport={"width": WIDTH, "height": HEIGHT},
        color_scheme=theme,
        reduced_motion="reduce",
        timezone_id="UTC",
        locale="en-GB",
    )
    page = context.new_page()
    page.goto("/sign-in")
    page.fill("[name=email]", EMAIL)
    page.fill("[name=password]", password)
    page.press("[name=password]", "Enter")
    page.wait_for_url("**/projects*")
    try:
        yield page
    finally:
        context.close()


def taken(page: Page, picture: Picture, shown: Shown) -> bytes:
    """Return the picture as PNG."""
    page.goto(picture.path.format(project=shown.project_id, post=shown.post_id), wait_until="networkidle")
    if picture.click:
        page.click(picture.click)
        page.mouse.move(0, 0)
        page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")
    return page.screenshot()


def webp(png: bytes) -> bytes:
    """Return the picture as WebP with as many colours as it may have. Raises DemoFailed.

    Few exact colours keep text sharp, which lossy compression does not at this size.
    """
    image = Image.open(BytesIO(png)).convert("RGB")
    for colours in COLOURS:
        buffer = BytesIO()
        few = image.quantize(colours, dither=Image.Dither.NONE).convert("RGB")
        few.save(buffer, "WEBP", lossless=True, quality=100, method=6)
        if buffer.tell() <= LARGEST:
            return buffer.getvalue()
    raise DemoFailed(f"A picture is above {LARGEST:,} bytes with {COLOURS[-1]} colours.")


if __name__ == "__main__":
    sys.exit(main())
