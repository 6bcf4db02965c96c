"""What WordPress' own editor does to a post of ours, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from app.publishing.targets.base import RemotePost
from app.publishing.targets.wordpress.kind import find
from tests.support.real_wordpress import ADMINISTRATORS_PASSWORD, RealWordPress
from tests.support.wordpress import Blog
from tests.support.wordpress_documents import live_post, reference

pytestmark = [pytest.mark.thorough, pytest.mark.wordpress]
TEXT_AGAIN = """() => {
    const block = wp.data.select('core/block-editor').getBlocks()[0];
    const content = tinymce.editors[0].getContent();
    wp.data.dispatch('core/block-editor').updateBlockAttributes(block.clientId, {content});
}"""


def open_editor(page: Page, blog: Blog, post: RemotePost) -> None:
    page.goto(f"{blog.url}/wp-login.php")
    page.fill("#user_login", "administrator")
    page.fill("#user_pass", ADMINISTRATORS_PASSWORD)
    page.click("#wp-submit")
    page.wait_for_url("**/wp-admin/**")
    page.goto(f"{blog.url}/wp-admin/post.php?post={post.external_id}&action=edit")
    page.wait_for_function("window.wp?.data?.select('core/block-editor')?.getBlocks().length > 0")
    page.evaluate("() => wp.data.dispatch('core/edit-post').closeModal()")
    page.keyboard.press("Escape")
    page.locator(".wp-block-freeform").first.click()
    page.wait_for_function("window.tinymce?.editors?.[0]?.initialized")


def saved(page: Page, blog: Blog, post: RemotePost, **changes: Any) -> RemotePost:
    """The post as it is after somebody saved it with changes of its settings."""
    page.evaluate("changes => wp.data.dispatch('core/editor').editPost(changes)", changes)
    page.evaluate("() => wp.data.dispatch('core/editor').savePost()")
    found = find(reference(external_id=post.external_id), blog.access("administrator"))
    assert found is not None
    return found


def test_only_an_edit_counts_as_one(real_wordpress: RealWordPress, page: Page) -> None:
    blog = Blog(real_wordpress.forward, real_wordpress.passwords, 3)
    post = live_post(blog.access("administrator"))
    open_editor(page, blog, post)
    unchanged = saved(page, blog, post)
    other_settings = saved(page, blog, post, categories=[1], comment_status="closed")
    page.evaluate(TEXT_AGAIN)
    written_anew = saved(page, blog, post)
    assert written_anew.text != unchanged.text
    for found in (unchanged, other_settings, written_anew):
        assert (found.fingerprint, found.digest) == (post.fingerprint, post.digest)
    assert saved(page, blog, post, title="Edited").fingerprint != post.fingerprint
    blog.empty()
    blog.gateway.close()
