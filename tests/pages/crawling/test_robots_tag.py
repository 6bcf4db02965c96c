"""Which X-Robots-Tag headers ask not to be indexed."""

from __future__ import annotations

import pytest

from app.pages.crawling.robots import says_noindex


@pytest.mark.parametrize(
    ("values", "noindex"),
    [
        ([], False),
        (["NoIndex , nofollow"], True),
        (["none"], True),
        (["googlebot: noindex, nofollow"], True),
        (["googlebot: nofollow, noindex"], True),
        (["otherbot: noindex, nofollow"], False),
        (["otherbot: nofollow, noindex"], False),
        (["otherbot: noindex, googlebot: nofollow"], False),
        (["otherbot: nofollow, googlebot: none"], True),
        (["otherbot: nofollow", "noindex"], True),
        (["max-snippet: 50, noindex"], True),
        (["unavailable_after: 25 Jun 2030 15:00:00 GMT, noindex"], True),
        (["max-snippet: 50, noarchive"], False),
    ],
)
def test_a_header_applies_to_all_robots_or_to_the_one_it_names(values: list[str], noindex: bool) -> None:
    assert says_noindex(values) is noindex
