"""Controls that a script or a list changes: their names follow, and a finger finds each of them."""

from __future__ import annotations

from flask import Flask
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect
from sqlalchemy import update

from app.content.model import BlogPost
from app.infra.db import db
from tests.dashboard.conftest import PASSWORD, Visitor
from tests.dashboard.test_dashboard_images import add

ROOM_FOR_A_FINGER = 24
"""CSS pixels from the middle of a small target to the middle of the next one (WCAG 2.5.8)."""


def test_the_button_beside_a_password_is_named_as_it_reads(served: str, page: Tab) -> None:
    page.goto(f"{served}/sign-in")
    page.fill("[name=password]", PASSWORD)
    page.get_by_role("button", name="Show password").click()
    button = page.get_by_role("button", name="Hide password")
    expect(button).to_have_text("Hide")
    expect(page.locator("[name=password]")).to_have_attribute("type", "text")
    button.click()
    expect(page.get_by_role("button", name="Show password")).to_have_text("Show")


def test_the_links_of_a_picture_keep_a_distance(
    app: Flask, alice: Visitor, things: dict[str, int], served: str, page: Tab
) -> None:
    site = f"/projects/{things['project_id']}"
    markdown = add(alice, site, f"{site}/posts/{things['post_id']}", "A red bike")
    with app.app_context():
        db.session.execute(update(BlogPost).values(content=f"Look:\n\n{markdown}"))
        db.session.commit()
    page.goto(f"{served}/sign-in")
    page.fill("[name=email]", "alice@example.com")
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url("**/projects*")
    page.goto(f"{served}{site}/images")
    link = page.locator(".with-picture").get_by_role("link", name="A post").bounding_box()
    fold = page.locator(".with-picture summary").bounding_box()
    assert link is not None
    assert fold is not None
    middles = [box["y"] + box["height"] / 2 for box in (link, fold)]
    assert middles[1] - middles[0] >= ROOM_FOR_A_FINGER
