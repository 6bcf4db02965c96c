"""Writing in a real browser: the text saves by itself, is not left unsaved, and two writers lose nothing."""

from __future__ import annotations

import re
from base64 import b64encode

import pytest
from flask import Flask
from playwright.sync_api import Dialog, Page, Route, expect

from app.projects.service import find_project
from tests.api.conftest import customer
from tests.browser.marketer import Marketer
from tests.support.pictures import picture
from tests.support.publishing import post_of

pytestmark = pytest.mark.browser

SAVED = re.compile(r"Saved \d\d:\d\d")
PASTED = "<h1>Care</h1><p>Keep it <b>dry</b>, see <a href='https://x.example/a'>the guide</a>.</p>"

PASTE_PICTURE = """encoded => {
  const data = new DataTransfer();
  const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
  data.items.add(new File([bytes], "image.png", { type: "image/png" }));
  const event = { clipboardData: data, bubbles: true, cancelable: true };
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", event));
}"""


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def post(app: Flask, served: str, page: Page) -> str:
    """The address of a post of Alice, who is signed in."""
    project_id = customer(app, "alice").project()
    with app.app_context():
        post_id = post_of(find_project(project_id)).id
    Marketer(page, served).sign_in("alice@example.com", "a long enough password")
    return f"{served}/projects/{project_id}/posts/{post_id}"


def begin(page: Page, post: str) -> None:
    """Open the editor with the caret before the text."""
    page.goto(f"{post}/edit")
    expect(page.locator("#tools")).to_be_visible()
    text = page.get_by_label("Text", exact=True)
    text.press("Control+Home")


def paste(page: Page, html: str) -> None:
    page.evaluate(
        """html => {
          const data = new DataTransfer();
          data.setData("text/html", html);
          const event = { clipboardData: data, bubbles: true, cancelable: true };
          document.activeElement.dispatchEvent(new ClipboardEvent("paste", event));
        }""",
        html,
    )


def test_a_text_is_formatted_checked_and_saved_while_it_is_written(page: Page, post: str) -> None:
    begin(page, post)
    page.keyboard.press("Control+B")
    page.keyboard.type("[TODO]")
    expect(page.locator("#live-checks")).to_contain_text("Fix before publishing")
    expect(page.locator("#saved")).to_have_text(SAVED)
    page.get_by_role("button", name="Undo").click()
    paste(page, PASTED)
    text = page.get_by_label("Text", exact=True)
    expect(text).to_have_value(re.compile(r"## Care\n\nKeep it \*\*dry\*\*, see \[the guide\]"))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("article", name="Preview").get_by_role("heading", name="Care")).to_be_visible()
    page.get_by_role("textbox", name="Title in search").fill("W" * 40)
    expect(page.get_by_text("pixels: the end will be cut")).to_be_visible()


def test_a_preview_that_comes_late_does_not_hide_the_text(page: Page, post: str) -> None:
    held: list[Route] = []
    page.route("**/edit/preview", lambda route: held.append(route))
    begin(page, post)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Write", exact=True).click()
    with page.expect_response("**/edit/preview") as answer:
        held[0].continue_()
    answer.value.finished()
    page.evaluate("new Promise((done) => setTimeout(done))")
    expect(page.get_by_label("Text", exact=True)).to_be_visible()


def test_pictures_are_chosen_and_pasted_and_shown_where_the_caret_was(page: Page, post: str) -> None:
    begin(page, post)
    page.get_by_role("button", name="Picture", exact=True).click()
    file = {"name": "wall.png", "mimeType": "image/png", "buffer": picture()}
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("File").set_input_files(file)  # type: ignore[arg-type]
    dialog.get_by_label("What it shows").fill("A wall")
    dialog.get_by_role("button", name="Add picture").click()
    text = page.get_by_label("Text", exact=True)
    expect(text).to_have_value(re.compile(r"^!\[A wall\]\(image:\d+\)\n\n\S"))
    text.press("Control+End")
    page.evaluate(PASTE_PICTURE, b64encode(picture(colour=(1, 2, 3))).decode())
    expect(page.locator("#picture-said")).to_contain_text("Press “Describe picture”")
    page.keyboard.type("A floor")
    expect(text).to_have_value(re.compile(r"\n\n!\[A floor\]\(image:\d+\)$"))
    page.get_by_role("button", name="Preview").click()
    for alt in ("A wall", "A floor"):
        shown = page.get_by_role("article", name="Preview").get_by_role("img", name=alt)
        expect(shown).to_have_js_property("naturalWidth", 800)
    begin(page, post)
    page.get_by_role("button", name="Picture", exact=True).click()
    dialog.get_by_role("radio", name="A wall").check()
    expect(dialog.get_by_label("What it shows")).to_have_value("A wall")
    dialog.get_by_role("button", name="Add picture").click()
    expect(text).to_have_value(re.compile(r"^!\[A wall\]\(image:1\)\n\n"))
    expect(page.locator("#picture-said")).to_have_text("Picture added.")


def test_what_a_picture_shows_is_said_at_the_caret_or_in_the_preview(page: Page, post: str) -> None:
    begin(page, post)
    text = page.get_by_label("Text", exact=True)
    page.evaluate(PASTE_PICTURE, b64encode(picture()).decode())
    expect(text).to_have_value(re.compile(r"^!\[\]\(image:1\)"))
    page.get_by_role("button", name="Describe picture").press("Enter")
    dialog = page.get_by_role("dialog", name="What the picture shows")
    dialog.get_by_label("Description").fill("A *red* wall & <more> [1]")
    page.keyboard.press("Enter")
    expect(text).to_have_value(re.compile(r"^!\[A \\\*red\\\* wall & &lt;more&gt; \\\[1\\\]\]\(image:1\)\n"))
    page.get_by_role("button", name="Preview").click()
    shown = page.get_by_role("article", name="Preview")
    shown.get_by_role("img", name="A *red* wall & <more> [1]").click()
    expect(dialog.get_by_label("Description")).to_have_value("A *red* wall & <more> [1]")
    dialog.get_by_label("Description").fill("A wall")
    dialog.get_by_role("button", name="Save description").click()
    expect(shown.get_by_role("img", name="A wall", exact=True)).to_be_visible()
    expect(page.locator("#saved")).to_have_text(SAVED)


def test_a_save_pressed_while_the_text_saves_itself_waits_for_that(page: Page, post: str) -> None:
    held: list[Route] = []
    page.route("**/edit/save", lambda route: held.append(route))
    begin(page, post)
    page.keyboard.type("Just in time. ")
    expect(page.locator("#saved")).to_have_text("Saving…")
    page.get_by_role("button", name="Save").click()
    held[0].continue_()
    page.wait_for_url(post)
    expect(page.get_by_role("article")).to_contain_text("Just in time.")


def test_of_two_writers_neither_loses_a_word_and_nobody_leaves_unsaved(page: Page, post: str) -> None:
    other = page.context.new_page()
    begin(page, post)
    begin(other, post)
    other.keyboard.type("Theirs. ")
    expect(other.locator("#saved")).to_have_text(SAVED)
    page.keyboard.type("Mine. ")
    expect(page.locator("#saved")).to_contain_text("someone else saved meanwhile")

    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.once("dialog", stay)
    page.get_by_role("link", name="Post", exact=True).click()
    expect(page.get_by_label("Text", exact=True)).to_have_value(re.compile("^Mine"))
    assert asked == ["beforeunload"]

    page.get_by_role("button", name="Save").click()
    expect(page.locator("del").first).to_contain_text("Theirs")
    expect(page.locator("ins").first).to_contain_text("Mine")
    page.get_by_role("button", name="Keep mine").click()
    expect(page.get_by_role("article")).to_contain_text("Mine.")
    page.goto(f"{post}/versions")
    page.get_by_role("link", name="Compare the version").nth(1).click()
    expect(page.locator("del").first).to_contain_text("Theirs")


def test_a_session_that_ends_while_somebody_writes_costs_no_word(page: Page, post: str, served: str) -> None:
    begin(page, post)
    page.context.clear_cookies(name="session")
    page.keyboard.type("Late words. ")
    expect(page.locator("#saved")).to_contain_text("sign in again in another tab")
    other = page.context.new_page()
    Marketer(other, served).sign_in("alice@example.com", "a long enough password")
    # The text waits in the tab, also over a reload.
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.get_by_role("button", name="Bring it back").click()
    expect(page.locator("#saved")).to_have_text(SAVED)
    other.goto(post)
    expect(other.get_by_role("article")).to_contain_text("Late words.")
