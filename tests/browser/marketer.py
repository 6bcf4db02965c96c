"""A marketer who publishes through the dashboard: clicks, fills in forms and waits for jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from playwright.sync_api import Page, expect

from app.publishing.targets.base import EnteredSecret, TargetKind

Role = Literal["button", "checkbox", "link", "radio", "tab"]


class Marketer:
    """Counts the ``clicks`` on links, buttons and choices, and the ``forms`` that were filled in."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.clicks = 0
        self.forms = 0
        self._address = address

    def open(self, path: str) -> None:
        """Go to a page of the dashboard."""
        self.page.goto(self._address + path)

    def sign_in(self, email: str, password: str) -> None:
        """Sign in."""
        self.open("/sign-in")
        self.page.get_by_label("E-mail").fill(email)
        self.page.get_by_label("Password", exact=True).fill(password)
        self.page.get_by_role("main").get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(lambda url: "/sign-in" not in url)

    def click(self, role: Role, name: str) -> None:
        """Click on what has this name in the main part of the page, above or beside it."""
        self.clicks += 1
        own = self.page.locator("main, .workspace-bar, .side")
        own.get_by_role(role, name=name, exact=role == "button").first.click()
        self.page.wait_for_load_state()

    def send(self, button: str) -> None:
        """Send the form of the page by one of its buttons."""
        self.forms += 1
        self.click("button", button)

    def enter(self, kind: TargetKind, values: Mapping[str, str]) -> None:
        """Fill in the form of a connection, by the labels of its fields."""
        if isinstance(kind.secret, EnteredSecret) and "secret" in values:
            self.page.get_by_label(kind.secret.label, exact=True).fill(values["secret"])
        for setting in kind.settings:
            if setting.name not in values:
                continue
            field = self.page.get_by_label(setting.label)
            if setting.choices:
                field.select_option(values[setting.name])
            elif field.is_visible() or self._opened_more():
                field.fill(values[setting.name])

    def sees(self, *texts: str) -> None:
        """Expect texts in the main part of the page, which may come to it later."""
        for text in texts:
            expect(self.page.get_by_role("main")).to_contain_text(text)

    def sees_status(self, text: str) -> None:
        """Expect the status of a post in the bar above it."""
        expect(self.page.locator(".workspace-bar .status", has_text=text)).to_be_visible()

    def sees_heading(self, name: str) -> None:
        """Expect a heading whose text begins so."""
        expect(self.page.get_by_role("heading", name=name).first).to_be_visible()

    def waits_for_job(self, status: str) -> None:
        """Wait on the page of a job until it has ended with this status."""
        expect(self.page.locator(f"#live[data-final=yes][data-status={status}]")).to_be_visible()

    def _opened_more(self) -> bool:
        self.page.get_by_text("More settings").click()
        return True
