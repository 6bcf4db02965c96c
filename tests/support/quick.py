"""What ``bin/test`` leaves to ``bin/test --thorough``: tests that take long and rarely find more.

With ``--quick`` a test runs on PostgreSQL too only where databases differ: in statements, locks, indexes and
migrations. Of the tests that start processes, drive a browser, kill something or measure times, those marked
``smoke`` run. Tests marked ``thorough`` do not, and of properties fewer examples are tried.
"""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import settings

DATABASES_DIFFER: Final = tuple(
    f"tests/{place}"
    for place in (
        "executions/",
        "infra/",
        "jobs/",
        "keywords/",
        "pages/crawling/test_page_queue_plans.py",
        "pages/crawling/test_reading_beside_syncs.py",
        "pages/sync/test_quarantine_plans.py",
        "pages/sync/test_sync.py",
        "pages/sync/test_sync_at_once.py",
        "pages/sync/test_gone_sitemaps.py",
        "pages/sync/test_quarantine.py",
        "pages/sync/test_sync_properties.py",
        "pages/test_page_counts.py",
        "pages/test_page_recount.py",
        "pages/test_unused_list.py",
        "publishing/test_publications.py",
        "test_fixtures.py",
        "test_migrations.py",
    )
)
"""Folders and files whose tests run on both databases each time."""

_LONG: Final = frozenset({"journey", "browser", "chaos", "timed"})
_PROFILE: Final = "quick"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--quick``."""
    parser.addoption("--quick", action="store_true", help="leave out what bin/test --thorough runs")


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples of properties in a quick run."""
    settings.register_profile(_PROFILE, max_examples=25, deadline=None)
    if config.getoption("quick"):
        settings.load_profile(_PROFILE)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what a quick run does not try."""
    if not config.getoption("quick"):
        return
    left = {item for item in items if _is_left_out(item)}
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = [item for item in items if item not in left]


def examples(most: int, one_in: int = 4) -> int:
    """Return how many examples a test with a number of its own tries: a part of them in a quick run."""
    return max(1, most // one_in) if settings.get_current_profile_name() == _PROFILE else most


def _is_left_out(item: pytest.Item) -> bool:
    marks = {mark.name for mark in item.iter_markers()}
    if "thorough" in marks or (marks & _LONG and "smoke" not in marks):
        return True
    return _is_on_postgresql_again(item)


def _is_on_postgresql_again(item: pytest.Item) -> bool:
    """Return whether a test also runs on SQLite and tests the same there."""
    if item.nodeid.startswith(DATABASES_DIFFER):
        return False
    chosen = (str(mark.args[0]) for mark in item.iter_markers("parametrize"))
    if any("database_kind" in names for names in chosen):
        return False  # it says itself on which
    callspec = getattr(item, "callspec", None)
    return callspec is not None and callspec.params.get("database_kind") == "postgresql"
