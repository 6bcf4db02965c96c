"""A sync is all or nothing: killed at any moment, the pages are as before it or as after it.

``bin/bench kill_sync`` is the long form, with many more kills and large sitemaps.
"""

from __future__ import annotations

import pytest

from tests.support.servers import SiteServer
from tests.support.sync_kills import KilledSyncs

KILLS = 5


@pytest.mark.smoke
@pytest.mark.chaos
@pytest.mark.usefixtures("db_app")
def test_a_killed_sync_leaves_the_pages_as_before_or_as_after(site: SiteServer) -> None:
    syncs = KilledSyncs(site, pages=500, seed=1)
    for _ in range(KILLS):
        syncs.kill_one()
    assert syncs.outcomes.total() == KILLS
