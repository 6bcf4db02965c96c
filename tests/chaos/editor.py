"""A customer's browser: the dashboard is where the text of a post is changed."""

from __future__ import annotations

import http.client
import re
import urllib.parse
import urllib.request

from tests.support.publishing import TEXT

TIMEOUT = 30.0
_HIDDEN = re.compile(r'name="(csrf_token|version)" value="([^"]+)"')
_EDITION = re.compile(r"^Edition (\d+)\.$", re.MULTILINE)


def edition_of(content: str) -> int:
    """The number of the edition that a text is; 0 for one that nobody has changed."""
    found = _EDITION.search(content)
    return int(found[1]) if found else 0


class Editor:
    """Signs in when it is asked to, and saves editions of posts."""

    def __init__(self, url: str, email: str, password: str) -> None:
        self._url = url
        self._person = {"email": email, "password": password}
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def save(self, project_id: int, post_id: int, edition: int) -> bool:
        """Give a post the text of an edition; True when it is certainly saved, False when it may not be."""
        post = f"{self._url}/projects/{project_id}/posts/{post_id}"
        fields = {
            "title": "Garden notes", "slug": f"garden-notes-{post_id}",
            "content": f"{TEXT}\nEdition {edition}.\n",
        }  # fmt: skip
        try:
            address, page = self._open(f"{post}/edit")
            if "/sign-in" in address:
                address, page = self._send(address, page, self._person)
            address, _ = self._send(address, page, fields)
        except (OSError, http.client.HTTPException):
            return False
        return address == post

    def _send(self, address: str, page: str, fields: dict[str, str]) -> tuple[str, str]:
        """Send the form of a page; returns where that led, and the page there."""
        form = {**dict(_HIDDEN.findall(page)), **fields}
        return self._open(address, urllib.parse.urlencode(form).encode())

    def _open(self, address: str, form: bytes | None = None) -> tuple[str, str]:
        with self._browser.open(address, form, TIMEOUT) as response:
            return response.url, response.read().decode()
