"""Pages with a cover and with parts that a script folds: nothing moves while they load."""

from __future__ import annotations

from playwright.sync_api import Page as Tab

from tests.dashboard.conftest import PASSWORD, Visitor

SHIFTS = """() => new Promise(resolve => {
  let sum = 0;
  new PerformanceObserver(list => { for (const each of list.getEntries()) sum += each.value; })
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 300);
})"""
"""The sum of layout shifts; up to 0.1 counts as steady."""


def test_a_post_and_its_editor_do_not_move_while_they_load(alice: Visitor, served: str, page: Tab) -> None:
    start = alice.send("/projects/sample", page="/projects/new").location
    alice.run(start.replace("/start?writing=", "/"))
    page.goto(f"{served}/sign-in")
    page.fill("[name=email]", "alice@example.com")
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url("**/projects*")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        for path in ("/projects/1/posts/1", "/projects/1/posts/1/edit"):
            page.goto(served + path, wait_until="networkidle")
            assert page.locator(".cover-pic img").is_visible()
            assert page.evaluate(SHIFTS) < 0.05, (width, path)
