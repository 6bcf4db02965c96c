"""A real browser, driven over its own protocol."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright
from werkzeug.serving import make_server

from devtools.chromium import ARGUMENTS, find_chromium
from tests.support.needs import need

PATIENCE = 30_000
"""Milliseconds until what is expected of a page is missed: as long as for everything else of the browser."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for the session."""
    path = need(find_chromium(), "Chromium")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page with cookies of its own."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def served(app: Flask) -> Iterator[str]:
    """The address at which a browser reaches ``app``."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
