"""The list of sources at the end of a post."""

from __future__ import annotations

from app.content.artefacts import SourceSnapshot
from app.content.request import Include
from tests.content.conftest import assert_traced, write


def test_a_post_may_end_with_the_pages_it_was_made_from(bees: SourceSnapshot) -> None:
    assert "## Sources" not in write(bees, topic="beehive").post.markdown
    written = write(bees, topic="beehive", include=Include(sources=True))
    listed = written.post.markdown.split("## Sources\n\n")[1].strip().splitlines()
    assert listed == [f"- [{source.title}]({source.url})" for source in written.post.sources]
    assert_traced(written, bees)
