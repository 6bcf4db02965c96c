"""Code and bold words of a page stay so in a digest."""

from __future__ import annotations

import pytest

from app.content.artefacts import SourcePage
from app.content.drafts import WrittenPost
from app.pages.extraction.extract import extract
from tests.content.conftest import SiteMaker, write

HTML = """<html lang=en><body><main><h1>Weighing a hive</h1>
<p>Weighing a hive takes a minute: press <b>New</b> on the scale and write the <b>New</b> weight down.</p>
<h2>The tool of the scale</h2>
<p>The tool is called <code>scale_read</code>, and a scale_read of a hive takes less than a second.</p>
<p><strong>Weigh a hive only when all of its bees have come home in the evening.</strong></p>
<p>An odd <code>tick`s</code> option is in the manual of each hive that a keeper gets.</p>
<h2>The options of the scale</h2>
<p>Each option of the scale for a hive has a default that most of the keepers
use, called <b>ميزاناً</b>, in the village.</p>
<table><tr><th>Option<th>Default<tr><td><code>--unit</code><td>1.2 kg<tr><td><code>a|b</code><td><b>1.5 kg</b>
</table>
<h2>The price of a scale for a hive</h2>
<p>A scale for a hive costs £<b>325</b>, of which <b>20%</b> is tax, or <b>€40</b> a year on lease.</p>
<p><b>The option 'weigh a hive daily':</b> it weighs a hive at noon, and about a <b>5</b>%p loss is noted.</p>
</main>"""


@pytest.fixture
def written(make_site: SiteMaker) -> WrittenPost:
    url = "https://bees.example/scale"
    content = extract(HTML.encode(), url)
    return write(
        make_site(SourcePage(1, url, content.title, None, False, content.blocks)), topic="weighing a hive"
    )


def test_code_is_shown_as_code_where_the_page_does(written: WrittenPost) -> None:
    assert "called `scale_read`, and a scale\\_read of" in written.post.markdown
    assert "| `--unit` | 1.2 kg |" in written.post.markdown
    assert "<code>scale_read</code>, and a scale_read of" in written.post.html


def test_bold_words_stay_bold(written: WrittenPost) -> None:
    assert "press **New** on the scale and write the **New** weight" in written.post.markdown


def test_a_bold_amount_has_its_sign_in_bold_or_none_of_it_is(written: WrittenPost) -> None:
    assert "costs **£325**, of which **20%** is tax, or **€40** a year" in written.post.markdown
    assert "<strong>£325</strong>" in written.post.html
    assert "a 5%p loss" in written.post.markdown


def test_a_quotation_at_the_end_of_bold_words_is_closed_in_them(written: WrittenPost) -> None:
    assert "**The option 'weigh a hive daily'**: it weighs" in written.post.markdown


def test_a_vowel_sign_at_the_end_of_bold_words_stays_in_them(written: WrittenPost) -> None:
    assert "called **ميزاناً**, in the village" in written.post.markdown


def test_a_sentence_that_is_bold_as_a_whole_is_plain(written: WrittenPost) -> None:
    assert "Weigh a hive only when all" in written.post.markdown
    assert "**Weigh" not in written.post.markdown


def test_code_that_would_break_the_text_is_plain(written: WrittenPost) -> None:
    assert "An odd tick\\`s option" in written.post.markdown


def test_a_bar_in_the_code_of_a_cell_stays_in_it(written: WrittenPost) -> None:
    assert "| `a\\|b` | **1.5 kg** |" in written.post.markdown
    assert "<td><code>a|b</code></td>" in written.post.html


def test_the_trace_has_the_words_without_marks(written: WrittenPost) -> None:
    said = [entry.sentence for entry in written.post.trace]
    assert "--unit | 1.2 kg" in said
    assert not any("`scale" in each or "**" in each for each in said)
