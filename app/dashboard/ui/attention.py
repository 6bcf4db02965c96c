"""What needs a hand, as lines of a page: a state, what it means, and one link to where it is fixed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import url_for

from app.dashboard.ui.connections import mending_words
from app.dashboard.ui.failures import plain_message
from app.dashboard.ui.presentation import STATUS, Word, counted
from app.overview.attention import Need

_WORDS: Final[Mapping[str, Word]] = {
    "sync_failed": STATUS["not_read"],
    "quarantined": Word("◍", "kept for now", "warn"),
    "autopilot_paused": STATUS["paused"],
    "not_published": STATUS["not_published"],
    "not_updated": Word("✗", "not updated", "bad"),
    "unknown": STATUS["unknown"],
    "unreachable": Word("!", "not visible", "warn"),
    "not_scheduled": STATUS["not_published"],
    "not_written": Word("✗", "not written", "bad"),
    "search_not_read": STATUS["not_read"],
    "edited_since": STATUS["edited"],
    "stale_links": Word("○", "stale links", "warn"),
    "changed_sources": Word("◍", "out of date", "warn"),
    "proposed": STATUS["proposed"],
}
_TITLES: Final[Mapping[str, str]] = {
    "sync_failed": "Your sitemap",
    "autopilot_paused": "Autopilot",
    "not_written": "A draft",
    "search_not_read": "Your search results",
}
_MEANINGS: Final[Mapping[str, str]] = {
    "sync_failed": "Your pages stay as they were.",
    "quarantined": "They are missing from your sitemap. Posts use them until you decide.",
    "not_published": "The post is safe here.",
    "not_updated": "The blog still shows the earlier text.",
    "unknown": "The blog did not answer, so the post may be live or not.",
    "not_scheduled": "The post is safe here.",
    "search_not_read": "The figures are those from before.",
    "edited_since": "The blog still shows the text from before your changes.",
    "proposed": "Pages that it was written from have changed. A new text is ready.",
}
_SAYS_WHY: Final = (
    "sync_failed",
    "not_published",
    "not_updated",
    "not_scheduled",
    "not_written",
    "search_not_read",
)


@dataclass(frozen=True)
class Line:
    """One thing that needs a hand, and the link of its one button."""

    word: Word
    title: str
    words: str
    button: str
    url: str


def line_of(project_id: int, need: Need) -> Line:
    button, url = _way(project_id, need)
    return Line(_WORDS[need.kind], _title(need), _meaning(need), button, url)


def _title(need: Need) -> str:
    if need.kind == "quarantined":
        return f"{counted(need.number, 'page')} vanished at once"
    return need.title or _TITLES.get(need.kind, "A post")


def _meaning(need: Need) -> str:
    if need.kind == "stale_links":
        return f"It leads readers to {counted(need.number, 'page')} that left your sitemap."
    if need.kind == "changed_sources":
        has = "has" if need.number == 1 else "have"
        return f"{counted(need.number, 'page')} that it was written from {has} changed since."
    why = plain_message(need.failure) if need.failure and need.kind in _SAYS_WHY else ""
    return " ".join(filter(None, (why, need.remark, _MEANINGS.get(need.kind))))


def _way(project_id: int, need: Need) -> tuple[str, str]:
    here = {"project_id": project_id}
    at_post = {**here, "post_id": need.post_id or 0}
    ways: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
        "sync_failed": ("Check the sitemap", "projects.edit", here),
        "quarantined": ("Decide", "pages.show_sync", {**here, "sync_id": need.sync_id}),
        "autopilot_paused": ("Open the autopilot", "autopilot.index", here),
        "unknown": ("Say whether it is live", "posts.show", {**at_post, "_anchor": "publications"}),
        "unreachable": ("Look at it", "posts.show", {**at_post, "_anchor": "publications"}),
        "not_scheduled": _way_to_another_time(at_post, need),
        "not_written": ("See how to go on", "executions.show", {"job_id": need.job_id}),
        "search_not_read": _way_to_google(here, need),
        "edited_since": ("Publish the changes", "posts.publish", at_post),
        "stale_links": ("Replace the links", "posts.edit", at_post),
        "changed_sources": ("See the change", "posts.show", at_post),
        "proposed": ("Compare both texts", "proposals.show", at_post),
    }
    text, endpoint, values = ways.get(need.kind) or _way_to_publish(at_post, need)
    return text, url_for(endpoint, **values)


def _way_to_another_time(at_post: Mapping[str, Any], need: Need) -> tuple[str, str, Mapping[str, Any]]:
    if (need.failure or {}).get("code") == "PUBLISH_QUALITY_GATE_BLOCKED":
        return "See the checks", "posts.edit", at_post
    return "Choose another time", "posts.show", {**at_post, "_anchor": "schedule"}


def _way_to_google(here: Mapping[str, Any], need: Need) -> tuple[str, str, Mapping[str, Any]]:
    if (need.failure or {}).get("code") == "SEARCH_CONSOLE_AUTH":
        return "Connect again", "google.connect", here
    return "See how to go on", "google.show", here


def _way_to_publish(at_post: Mapping[str, Any], need: Need) -> tuple[str, str, Mapping[str, Any]]:
    failure = need.failure or {}
    actions = failure.get("next_actions") or ()
    if failure.get("code") == "TARGET_SLUG_TAKEN":
        return "Choose another address", "posts.edit", {**at_post, "_anchor": "slug"}
    if failure.get("code") == "TARGET_POST_EDITED" and need.job_id is not None:
        return "Compare both texts", "edited_there.show", {"job_id": need.job_id}
    if "open_publish_target" in actions and need.target_id is not None:
        place = {"project_id": at_post["project_id"], "target_id": need.target_id, "post": need.post_id}
        return mending_words(failure), "targets.edit", place
    if "edit_post" in actions:
        return "Edit the post", "posts.edit", at_post
    if need.job_id is not None:
        return "Try again", "executions.show", {"job_id": need.job_id}
    return "Open the post", "posts.show", at_post
