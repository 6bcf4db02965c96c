"""What every test may ask for. Each fixture starts what it needs when a test first asks, and nothing before.

Settings and application
    ``database_kind``       "sqlite", then "postgresql": every test that uses ``app`` runs on both
    ``settings``            Settings for a migrated database without a row and an emptied Redis
    ``settings_overrides``  override it in a test module to change settings: ``return {"PROJECT_LIMIT": "1"}``
    ``app``, ``db_app``     the application; the second one with its context pushed
    ``client``              its test client
    ``short_locks``         lets its statements wait for locks on PostgreSQL for a moment only

Servers
    ``redis_url``           a real Redis, emptied before the test
    ``private_redis``       a Redis of the test's own, to kill, freeze and start again
    ``fresh_database``      call it with a kind for the address of a migrated database of the test's own,
                            without a row
    ``empty_database``      the same without a table, for tests of the migrations
    ``site``                a small HTTP server on the loopback: sitemaps, pages, publish targets
    ``run_service``         web, worker and scheduler as real processes
    ``page``                a page of a real browser
    ``served``              the address of ``app`` for it
    ``mail_server``         a server of SMTP, which keeps the mails that it accepts
    ``bucket_server``       a server that speaks S3, with an empty bucket
    ``wordpress``           a look-alike of WordPress, and in thorough runs a real one
    ``ghost``               a look-alike of Ghost, and in thorough runs those that are installed
    ``google``              a look-alike of Google: consent, tokens, Search Console
    ``place``               each blog to connect: a Git repository and look-alikes, in thorough runs real ones
    ``model_server``        a server of chat completions, which answers as the name of the model says
"""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings as hypothesis_settings

pytest_plugins = [
    "tests.support.redis",
    "tests.support.databases",
    "tests.support.application",
    "tests.support.locks",
    "tests.support.servers",
    "tests.support.processes",
    "tests.support.publishing",
    "tests.support.git",
    "tests.support.forges",
    "tests.support.real_wordpress",
    "tests.support.wordpress",
    "tests.support.browser",
    "tests.support.mail_server",
    "tests.support.bucket",
    "tests.support.model_server",
    "tests.support.model_jobs",
    "tests.support.beehives",
    "tests.support.ghosts",
    "tests.support.google",
    "tests.support.target_kinds",
    "tests.support.publishing_places",
    "tests.support.quick",
]

LONGEST = {
    "test_state_machine.py",
    "test_sync_properties.py",
    "test_migrations.py",
    "test_migration_steps.py",
    "test_costs.py",
    "test_page_queue_plans.py",
    "test_engine_hostile.py",
    "test_hostile_pages.py",
    "test_dev_launcher.py",
}
"""Files to begin with: at the end all other cores would wait for the one that has such a file."""

MARKS = {"browser": "browser", "make_service": "journey"}

# An example may take its time on a machine that is busy: how long it takes is not what is tested.
hypothesis_settings.register_profile("everyday", deadline=None)
hypothesis_settings.register_profile("long", max_examples=2000, deadline=None)
hypothesis_settings.load_profile("everyday")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without looking for garbage, and never look for it among the thousands of tests later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first, and mark tests by what they ask for, be it through other fixtures."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
    for item in items:
        for fixture in getattr(item, "fixturenames", ()):
            if fixture in MARKS:
                item.add_marker(MARKS[fixture])
