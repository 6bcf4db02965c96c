"""How people use a page: with a mouse, by the keys alone, or in a browser without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.waiting import eventually

_MOST_TABS: Final = 150
_HAS_FOCUS: Final = "element => element === document.activeElement"
_IS_BESIDE: Final = "(element, name) => document.activeElement.name === name"

WAYS: Final = ("mouse", "keys", "no script")


@dataclass
class Mouse:
    """Clicks, types, and sees the page change by itself."""

    page: Page

    def press(self, target: Locator) -> None:
        """Follow a link, press a button, or make a choice."""
        target.click()

    def write(self, field: Locator, text: str) -> None:
        """Replace what a field has."""
        field.fill(text)

    def attach(self, field: Locator, file: Path) -> None:
        """Choose a file; its dialog belongs to the system."""
        field.set_input_files(file)

    def wait_for(self, shown: Locator) -> None:
        """Wait until the page shows something."""
        expect(shown.first).to_be_visible()

    def wait_for_draft(self) -> None:
        """Wait until the draft that is being written opens by itself."""
        self.page.wait_for_url("**/posts/*")

    def sign_in(self, address: str, email: str = "alice@example.com") -> None:
        """Sign in to the service at an address, with the password of all customers of the tests."""
        self.page.goto(f"{address}/sign-in")
        self.write(self.page.get_by_label("E-mail"), email)
        self.write(self.page.get_by_label("Password", exact=True), "a long enough password")
        self.press(self.page.get_by_role("main").get_by_role("button", name="Sign in"))
        self.page.wait_for_url(lambda url: "/sign-in" not in url)


class Keys(Mouse):
    """Reaches everything by Tab, and the members of a group of choices by the arrows."""

    def press(self, target: Locator) -> None:
        """Go there and press Enter, or Space for a choice."""
        kind = target.get_attribute("type") or ""
        if kind == "radio":
            self._choose(target)
            return
        self._go_to(target)
        self.page.keyboard.press("Space" if kind == "checkbox" else "Enter")

    def write(self, field: Locator, text: str) -> None:
        """Go to a field and type over what it has."""
        self._go_to(field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def attach(self, field: Locator, file: Path) -> None:
        """Go to the field of a file, and choose one."""
        self._go_to(field)
        field.set_input_files(file)

    def _go_to(self, target: Locator) -> None:
        expect(target).to_be_visible()
        for _ in range(_MOST_TABS):
            if target.evaluate(_HAS_FOCUS):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no key leads to {target}")

    def _choose(self, target: Locator) -> None:
        group = target.get_attribute("name")
        for _ in range(_MOST_TABS):
            if target.evaluate(_IS_BESIDE, group):
                break
            self.page.keyboard.press("Tab")
        for _ in range(_MOST_TABS):
            if target.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"no key chooses {target}")


class NoScript(Mouse):
    """Loads the page again to see what is new."""

    def wait_for(self, shown: Locator) -> None:
        """Load the page until it shows something."""

        def is_shown() -> bool:
            self.page.goto(self.page.url)
            return shown.first.is_visible()

        if not shown.first.is_visible():
            eventually(is_shown, f"{self.page.url} shows {shown}", pause=0.5)

    def wait_for_draft(self) -> None:
        """Load the page until it leads to the draft, and open that."""
        opened = self.page.get_by_role("link", name="Open the post")
        self.wait_for(opened)
        self.press(opened)


@contextmanager
def hands(way: str, browser: Browser) -> Iterator[Mouse]:
    """Yield the hands of one of the ``WAYS`` on a page with cookies of its own."""
    context = browser.new_context(java_script_enabled=way != "no script")
    page = context.new_page()
    yield {"mouse": Mouse, "keys": Keys, "no script": NoScript}[way](page)
    context.close()
