"""The Markdown that generators get: its front matter reads the same everywhere, its text is never run."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from app.publishing.targets.git import front_matter
from app.publishing.targets.git.flavours import FLAVOURS, slug_of
from app.publishing.targets.git.markdown import markdown_for

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
TABLE_OF_CONTENTS = "[To B](#section-b).\n\n## A\n\n## B ##\n\nText\n"


@given(TEXT, st.lists(TEXT, max_size=3))
def test_whatever_a_title_and_tags_contain_is_read_back_as_it_was(title: str, tags: list[str]) -> None:
    date = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
    file = front_matter.read(front_matter.write({"title": title, "tags": tags, "date": date}, "Text"))
    assert file is not None
    assert file.members == {"title": title, "tags": tags, "date": date}
    assert file.text == "Text"


@pytest.mark.parametrize(
    "value", ["1e3", "no", "0o17", "2026-01-01", "null", "~", "- a", "a: b", "# a", "'", '"', ""]
)
def test_no_text_is_taken_for_anything_else_by_an_older_or_newer_yaml(value: str) -> None:
    head = front_matter.write({"title": value}, "").decode().splitlines()[1]
    assert head.startswith('title: "')
    assert yaml.safe_load(head) == {"title": value}


def test_a_date_is_a_date_and_a_long_text_stays_on_its_line() -> None:
    date = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
    written = front_matter.write(
        {"date": date, "description": "word " * 100, "same": ["x"], "again": ["x"]}, ""
    )
    lines = written.decode().splitlines()
    assert lines[1] == "date: 2026-03-04T05:06:07+00:00"
    assert len(lines[2]) > 500
    assert "&" not in written.decode()


@pytest.mark.parametrize(
    "data",
    [b"", b"Text", b"---\n- a\n---\n", b"---\na: [\n---\n", b"---\na: b\n", b"+++\na = 1\n+++\n",
     b"---\n1: a\n---\n", b"---\n" + b"[" * 50_000 + b"\n---\n",
     b"---\na: !!python/object:os.system {}\n---\n", b"---\na: \xff\n---\n"],
)  # fmt: skip
def test_what_is_no_readable_front_matter_is_none(data: bytes) -> None:
    assert front_matter.read(data) is None


def test_files_of_other_programs_are_read() -> None:
    file = front_matter.read(b"\xef\xbb\xbf---\r\ntitle: A\r\n---\r\n\r\nText\r\n---\r\nMore\r\n")
    assert file is not None
    assert file.members == {"title": "A"}
    assert file.text == "Text\r\n---\r\nMore"


@pytest.mark.parametrize(
    ("flavour", "heading"),
    [("hugo", "## B {#section-b}"), ("astro", '## B <a id="section-b"></a>'),
     ("jekyll", '## B <a id="section-b"></a>'), ("eleventy", '## B <a id="section-b"></a>')],
)  # fmt: skip
def test_headings_that_a_text_links_to_have_their_ids(flavour: str, heading: str) -> None:
    assert markdown_for(flavour, TABLE_OF_CONTENTS).split("\n") == [
        "[To B](#section-b).", "", "## A", "", heading, "", "Text", ""
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "quoted"),
    [("{{ x }}", "{{ '{{' }} x }}"), ("{% raw %}", "{{ '{%' }} raw %}"), ("{{{ x }}}", "{{ '{{' }}{ x }}}"),
     ("{ x }", "{ x }")],
)  # fmt: skip
def test_jekyll_shows_templates_instead_of_running_them(text: str, quoted: str) -> None:
    assert markdown_for("jekyll", text) == quoted


@pytest.mark.parametrize(
    ("text", "quoted"),
    [("{{< a >}}", "{{</* a */>}}"), ("{{% a %}}", "{{%/* a */%}}"), ("{{</* a */>}}", "{{</*/* a */*/>}}"),
     ("{{% a `{{< b >}}`", "{\u2060{% a `{{</* b */>}}`"), ("{{< a", "{\u2060{< a"), ("{{ a }}", "{{ a }}")],
)  # fmt: skip
def test_hugo_shows_shortcodes_instead_of_running_them(text: str, quoted: str) -> None:
    assert markdown_for("hugo", text) == quoted


def test_eleventy_is_set_to_run_no_templates() -> None:
    assert FLAVOURS["eleventy"].own_members(datetime.now(UTC)) == {"templateEngineOverride": "md"}


@pytest.mark.parametrize(
    ("path", "slug"),
    [("posts/a.md", "a"), ("posts/a/index.md", "a"), ("_posts/2026-01-02-a.md", "a"),
     ("posts/a.md.draft", "a"), ("posts/2026-01-02-a/index.md", "a"), ("posts/a.b.md", "a.b")],
)  # fmt: skip
def test_the_slug_of_a_file_is_the_one_that_its_path_gives(path: str, slug: str) -> None:
    assert slug_of(path) == slug


@pytest.mark.parametrize(
    ("folder", "path"), [("_posts", "assets/images/a.png"), ("docs/_posts", "docs/assets/images/a.png")]
)
def test_jekyll_finds_images_below_the_folder_of_its_site(folder: str, path: str) -> None:
    assert FLAVOURS["jekyll"].image_path(folder, "a", "a.png") == path
