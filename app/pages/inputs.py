"""The members of a page that people set: their limits, checks and descriptions."""

from app.infra.inputs import Boolean, Input, Line, Text


class PageIn(Input):
    """A page to add. A page with content is not fetched.

    `title` and `description` are set on a new page, or together with content that is taken.
    """

    url = Text(
        1,
        2048,
        required=True,
        allow_none=False,
        metadata={"format": "uri", "example": "https://example.com/about"},
    )
    always_use = Boolean(
        metadata={
            "description": "Prefer this page as a source and link target. It is also set on a page that "
            "exists already."
        }
    )
    title = Line(0, 500)
    description = Text(0, 5000)
    content = Text(
        0,
        500_000,
        metadata={
            "description": "Markdown or plain text with words, at most 200,000 bytes of text (UTF-8). A page "
            "that was never fetched takes it; a page that was fetched, or has a text, keeps its own. See "
            "`content_taken`."
        },
    )
