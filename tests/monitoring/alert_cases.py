"""For each alert, series that raise it and series that do not, as promtool writes them: a value a minute."""

from __future__ import annotations

from typing import Final, NamedTuple

Series = dict[str, str]

BUCKET: Final = 'seo_request_duration_seconds_bucket{route="/",le="%s"}'
ENDED: Final = 'seo_jobs_ended_total{operation="SYNC_SITEMAP",status="%s"}'
FAILURES: Final = 'seo_job_failures_total{code="%s"}'
CALLS: Final = 'seo_publish_calls_total{kind="ghost",result="%s"}'


class Case(NamedTuple):
    """What raises an alert after an hour, and what does not."""

    fires: Series
    quiet: Series


def gauge(name: str, fires: float, quiet: float) -> Case:
    """One series that has a value for an hour."""
    return Case({name: f"{fires}x60"}, {name: f"{quiet}x60"})


def counter(name: str, fires: float, quiet: float) -> Case:
    """One series that grows each minute, and begins again at 0 in between."""
    half = "0+{0}x30 0+{0}x29"
    return Case({name: half.format(fires)}, {name: half.format(quiet)})


def shares(bad: str, good: str, fires: tuple[float, float], quiet: tuple[float, float]) -> Case:
    """Two series that grow each minute."""
    both = [{bad: f"0+{one}x60", good: f"0+{other}x60"} for one, other in (fires, quiet)]
    return Case(*both)


CASES: Final[dict[str, Case]] = {
    "SeoServiceDown": gauge('up{job="seo"}', 0, 1),
    "SeoDatabaseDown": gauge("seo_database_up", 0, 1),
    "SeoDatabaseReadOnly": Case(
        {"seo_database_writable": "0x60", "seo_database_up": "1x60"},
        {"seo_database_writable": "0x60", "seo_database_up": "0x60"},
    ),
    "SeoRedisDown": gauge("seo_redis_up", 0, 1),
    "SeoNoWorker": gauge('seo_processes{kind="worker"}', 0, 1),
    "SeoNoScheduler": gauge('seo_processes{kind="scheduler"}', 0, 1),
    "SeoServerErrors": shares(
        'seo_responses_total{status="5xx"}', 'seo_responses_total{status="2xx"}', (3, 97), (1, 99)
    ),
    "SeoSlowRequests": Case(
        {BUCKET % "1.0": "0+90x60", BUCKET % "2.5": "0+90x60", BUCKET % "+Inf": "0+100x60"},
        {BUCKET % "1.0": "0+99x60", BUCKET % "2.5": "0+99x60", BUCKET % "+Inf": "0+100x60"},
    ),
    "SeoConnectionsUsedUp": Case(
        {'seo_database_connections_in_use{process="a"}': "7x60",
         'seo_database_connections_max{process="a"}': "7x60"},
        {'seo_database_connections_in_use{process="a"}': "6x60",
         'seo_database_connections_max{process="a"}': "7x60"},
    ),
    "SeoJobsWait": gauge('seo_jobs_queued_oldest_seconds{operation="SYNC_SITEMAP"}', 1000, 600),
    "SeoJobWithoutWorker": gauge("seo_job_lease_over_seconds", 100, 30),
    "SeoJobRunsTooLong": gauge('seo_jobs_running_oldest_seconds{operation="SYNC_SITEMAP"}', 4000, 1800),
    "SeoJobsFail": shares(ENDED % "failed", ENDED % "succeeded", (1, 3), (1, 9)),
    "SeoWorkersLost": counter(FAILURES % "WORKER_LOST", 1, 0),
    "SeoProviderRefuses": counter(FAILURES % "PROVIDER_AUTH", 1, 0),
    "SeoProviderFails": counter(FAILURES % "PROVIDER_TIMEOUT", 1, 0.1),
    "SeoCostsHigh": counter('seo_provider_cost_usd_total{operation="GENERATE_BLOG_POST"}', 2, 0.1),
    "SeoSyncsFail": shares(
        'seo_syncs_total{state="failed"}', 'seo_syncs_total{state="ok"}', (3, 1), (1, 3)
    ),
    "SeoSyncsLate": gauge("seo_sync_late_seconds", 400, 60),
    "SeoPublicationsLate": gauge("seo_publication_late_seconds", 400, 60),
    "SeoPublicationUnknown": gauge('seo_publication_open_seconds{state="unknown"}', 4000, 1800),
    "SeoPublishingFails": shares(CALLS % "failed", CALLS % "ok", (3, 1), (1, 3)),
}  # fmt: skip
