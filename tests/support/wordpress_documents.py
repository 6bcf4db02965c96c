"""Documents and calls for tests of WordPress targets."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from app.content.rendering.html import render_html
from app.content.rendering.images import reference_to
from app.publishing.targets.base import Access, Document, PublishProblem, Reference, RemotePost
from app.publishing.targets.wordpress.kind import create, write
from tests.support.wordpress import Blog

PUBLICATION_ID = "pub_0123456789abcdef0123456789abcdef"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
TEXT = """\
First line & more
second line [gallery]

## What belongs in it

- Beds
- Plants

```
code

  kept
```

The **last** paragraph.
"""


def document(text: str = TEXT, **values: Any) -> Document:
    """A document; members of its post and of itself may be replaced."""
    own = {
        name: values.pop(name)
        for name in ("visibility", "digest", "is_update", "picture", "images")
        if name in values
    }
    post = {
        "title": "Garden & notes", "content": text,
        "content_html": render_html(text, {each: reference_to(each) for each in own.get("images", ())}.get),
        "description": "What to write down",
        "slug": "garden-notes", "tags": [], "version": 1, **values,
    }  # fmt: skip
    return Document(PUBLICATION_ID, **{"digest": "a" * 64, "post": post, **own})


def reference(**values: Any) -> Reference:
    """What is known of the document's publication before the target returned an id."""
    return replace(Reference(PUBLICATION_ID, "garden-notes", datetime.now(UTC)), **values)


def refused(call: Callable[..., object], *arguments: object) -> PublishProblem:
    """The problem that a call raises."""
    with pytest.raises(PublishProblem) as caught:
        call(*arguments)
    return caught.value


def post_on(wordpress: Blog, external_id: str | None) -> dict[str, Any]:
    """A post as WordPress shows it to editors."""
    found: dict[str, Any] = wordpress.rest("GET", f"posts/{external_id}?context=edit")
    return found


def live_post(access: Access) -> RemotePost:
    """A post that was published."""
    return write(document(), create(document(), access), access)
