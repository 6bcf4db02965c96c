"""People at a browser, who use it in each of three ways, and a blog to publish at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage

from tests.browser.hands import WAYS, Mouse, hands
from tests.support import wordpress

CLOSED = ("ERR_SOCKET_NOT_CONNECTED", "ERR_CONNECTION_RESET")


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    """How somebody uses a page."""
    return str(request.param)


@pytest.fixture
def person(browser: Browser, way: str) -> Iterator[Mouse]:
    """Somebody about whose pages the browser complains about nothing."""
    complaints: list[str] = []

    def hear(said: ConsoleMessage) -> None:
        # The tests' own web server now and then closes a connection that the browser means to use again.
        if said.type == "error" and not said.text.endswith(CLOSED):
            complaints.append(said.text)

    with hands(way, browser) as made:
        made.page.on("console", hear)
        made.page.on("pageerror", lambda error: complaints.append(str(error)))
        yield made
    assert complaints == []


@pytest.fixture
def blog(request: pytest.FixtureRequest) -> Iterator[wordpress.Blog]:
    """A look-alike of WordPress without posts."""
    with wordpress.blog_of("look-alike", request) as made:
        yield made
