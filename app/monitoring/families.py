"""The metrics, made from samples: their names, labels and words. docs/monitoring.md lists them.

Each series of a known label is there from the beginning, with 0: Prometheus does not see the first event of
a series that appears with it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from app.executions.states import TERMINAL, Status
from app.failures import CATALOGUE
from app.infra import presence, request_counts
from app.monitoring.samples import Found, Sample
from app.monitoring.statements import BUCKETS
from app.operations.registry import OPERATIONS
from app.publishing.model import OPEN_STATES
from app.publishing.targets.registry import KINDS

_OPERATIONS: Final = tuple(operation.name for operation in OPERATIONS)
_SYNC_STATES: Final = ("ok", "partial", "quarantined", "failed")
_STATUS_CLASSES: Final = ("1xx", "2xx", "3xx", "4xx", "5xx")
_USAGE: Final = {
    "seo_provider_calls": "Calls to the text provider by jobs that succeeded.",
    "seo_provider_prompt_tokens": "Tokens sent to the text provider by jobs that succeeded.",
    "seo_provider_completion_tokens": "Tokens that the text provider wrote for jobs that succeeded.",
    "seo_provider_cost_usd": "US dollars that jobs that succeeded cost at the text provider.",
}
_SYNC_SUMS: Final = {
    "seo_sync_urls": "URLs that syncs found.",
    "seo_sync_bytes": "Bytes of sitemaps that syncs received.",
    "seo_sync_documents": "Sitemaps below the first that syncs read.",
    "seo_sync_new_pages": "Pages that syncs added.",
    "seo_sync_stale_pages": "Pages that syncs found to be gone.",
}
Values = Mapping[Any, Any]


def of_jobs(sample: Sample) -> Iterator[Metric]:
    """The jobs that wait, run and ended."""
    yield from _of_waiting_jobs(sample)
    yield from _of_running_jobs(sample)
    ended: Counter[Any] = Counter({(name, end): 0 for name in _OPERATIONS for end in TERMINAL})
    failed: Counter[Any] = Counter({(code,): 0 for code in CATALOGUE})
    used = {name: Counter({(each,): 0.0 for each in _OPERATIONS}) for name in _USAGE}
    for operation, status, code, number, _seconds, *rest in sample.ended:
        ended[operation, status] += number
        if code:
            failed[(code,)] += number
        for name, amount in zip(_USAGE, rest, strict=False):
            used[name][(operation,)] += amount
    yield _counter("seo_jobs_ended", "Jobs that ended.", ("operation", "status"), ended)
    yield _counter("seo_job_failures", "Jobs that failed, by the code of the failure.", ("code",), failed)
    for name, words in _USAGE.items():
        yield _counter(name, words, ("operation",), used[name])
    durations = [(row[0], row[3], row[4], row[9:]) for row in sample.ended if row[1] != Status.CANCELED]
    words = "How long the last attempt of a job took that ended, in seconds."
    yield _durations("seo_job_duration_seconds", words, "operation", _OPERATIONS, durations)


def of_syncs(sample: Sample) -> Iterator[Metric]:
    """The syncs of sitemaps that ended, and how late the next one is."""
    ended: Counter[Any] = Counter({(state,): 0 for state in _SYNC_STATES})
    sums: dict[str, float] = dict.fromkeys(_SYNC_SUMS, 0.0)
    for state, number, *rest in sample.syncs:
        ended[(state,)] += number
        for name, amount in zip(_SYNC_SUMS, rest, strict=False):
            sums[name] += amount
    yield _counter("seo_syncs", "Syncs of sitemaps that ended, by what came of them.", ("state",), ended)
    for name, words in _SYNC_SUMS.items():
        yield _counter(name, words, (), {(): sums[name]})
    durations = [(row[0], row[1], row[7], row[8:]) for row in sample.syncs]
    words = "How long a sync took, in seconds."
    yield _durations("seo_sync_duration_seconds", words, "state", _SYNC_STATES, durations)
    words = "How long the sync that is due for longest has not been queued."
    yield _gauge("seo_sync_late_seconds", words, (), {(): _age(sample.now, sample.sync_due)})


def of_publishing(sample: Sample) -> Iterator[Metric]:
    """The calls to publish targets, and publications without a result."""
    results = (("ok",), ("failed",))
    calls: Counter[Any] = Counter({(kind, *each): 0 for kind in KINDS for each in results})
    seconds = dict.fromkeys(((kind,) for kind in KINDS), 0.0)
    for kind, code, number, taken in sample.calls:
        calls[kind, "failed" if code else "ok"] += number
        seconds[(kind,)] += float(taken)
    yield _counter("seo_publish_calls", "Calls to publish targets.", ("kind", "result"), calls)
    yield _counter("seo_publish_call_seconds", "Seconds that calls to targets took.", ("kind",), seconds)
    numbers, ages = _numbers_and_ages(sample.now, sample.publications, OPEN_STATES)
    yield _gauge("seo_publications_open", "Publications without a recorded result.", ("state",), numbers)
    words = "For how long the oldest publication has had no recorded result."
    yield _gauge("seo_publication_open_seconds", words, ("state",), ages)
    words = "How long the scheduled publication that is due for longest has not been queued."
    yield _gauge("seo_publication_late_seconds", words, (), {(): _age(sample.now, sample.publication_due)})


def of_requests(counts: Mapping[tuple[str, ...], int]) -> Iterator[Metric]:
    """The requests of all web processes, from their counts."""
    requests = {labels[1:]: number for labels, number in counts.items() if labels[0] == "requests"}
    classes: Counter[Any] = Counter({(each,): 0 for each in _STATUS_CLASSES})
    for (_method, _route, status), number in requests.items():
        classes[(status,)] += number
    yield _counter("seo_responses", "Responses, by the class of their status.", ("status",), classes)
    yield _counter("seo_requests", "Requests by route.", ("method", "route", "status"), requests)
    words = "How long requests took, in seconds."
    family = HistogramMetricFamily("seo_request_duration_seconds", words, labels=("method", "route"))
    for kind, method, route in (labels for labels in counts if labels[0] == "microseconds"):
        total = 0
        buckets: list[tuple[str, float]] = []
        for bound in (*map(str, request_counts.BUCKETS), "+Inf"):
            total += counts.get(("bucket", method, route, bound), 0)
            buckets.append((bound, total))
        seconds = counts[kind, method, route] / 1_000_000
        family.add_metric((method, route), buckets, sum_value=seconds)
    yield family


def of_processes(processes: Iterable[presence.Process]) -> Iterator[Metric]:
    """The processes that are alive, and their database connections."""
    known = tuple(processes)
    alive = Counter({(kind,): 0 for kind in presence.KINDS})
    alive.update((each.kind,) for each in known)
    yield _gauge("seo_processes", "Processes that are alive.", ("kind",), alive)
    in_use = {(each.kind, each.name): each.connections_in_use for each in known}
    at_most = {(each.kind, each.name): each.connections_at_most for each in known}
    labels = ("kind", "process")
    words = "Database connections of a process that are in use."
    yield _gauge("seo_database_connections_in_use", words, labels, in_use)
    words = "Database connections that a process may have."
    yield _gauge("seo_database_connections_max", words, labels, at_most)


def of_parts(parts: Mapping[str, bool]) -> Iterator[Metric]:
    """Whether the parts that the service needs can be used, by the names of the metrics."""
    for name, is_there in parts.items():
        yield _gauge(name, "Whether it can be used: 1 or 0.", (), {(): int(is_there)})


def _of_waiting_jobs(sample: Sample) -> Iterator[Metric]:
    numbers, ages = _numbers_and_ages(sample.now, sample.waiting, _OPERATIONS)
    yield _gauge("seo_jobs_queued", "Jobs that wait.", ("operation",), numbers)
    words = "For how long the oldest of the queued jobs could have begun."
    yield _gauge("seo_jobs_queued_oldest_seconds", words, ("operation",), ages)


def _of_running_jobs(sample: Sample) -> Iterator[Metric]:
    numbers, ages = _numbers_and_ages(sample.now, sample.running, _OPERATIONS)
    lease = min((row[3] for row in sample.running if row[3] is not None), default=None)
    yield _gauge("seo_jobs_running", "Jobs that run.", ("operation",), numbers)
    words = "For how long the oldest of the running jobs has been running."
    yield _gauge("seo_jobs_running_oldest_seconds", words, ("operation",), ages)
    words = "For how long the oldest lease of a running job has been over; 0 while every job has a worker."
    yield _gauge("seo_job_lease_over_seconds", words, (), {(): _age(sample.now, lease)})


def _numbers_and_ages(now: datetime, rows: Found, known: Iterable[str]) -> tuple[Values, Values]:
    found = {row[0]: row for row in rows}
    numbers = {(name,): found[name][1] if name in found else 0 for name in known}
    return numbers, {(name,): _age(now, found[name][2] if name in found else None) for name in known}


def _age(now: datetime, since: datetime | None) -> float:
    return max(0.0, (now - since).total_seconds()) if since is not None else 0.0


def _gauge(name: str, words: str, labels: tuple[str, ...], values: Values) -> Metric:
    family = GaugeMetricFamily(name, words, labels=labels)
    for key, value in values.items():
        family.add_metric(key, value)
    return family


def _counter(name: str, words: str, labels: tuple[str, ...], values: Values) -> Metric:
    family = CounterMetricFamily(name, words, labels=labels)
    for key, value in values.items():
        family.add_metric(key, value)
    return family


def _durations(
    name: str,
    words: str,
    label: str,
    known: Iterable[str],
    rows: Iterable[tuple[str, int, float, tuple[int, ...]]],
) -> Metric:
    sums: dict[str, list[float]] = {each: [0.0] * (len(BUCKETS) + 2) for each in known}
    for key, number, seconds, by_bound in rows:
        added = (*by_bound, number, seconds)
        before = sums.get(key, [0.0] * len(added))
        sums[key] = [old + new for old, new in zip(before, added, strict=True)]
    family = HistogramMetricFamily(name, words, labels=(label,))
    for key, (*counted, seconds) in sums.items():
        buckets = list(zip((*map(str, BUCKETS), "+Inf"), counted, strict=True))
        family.add_metric((key,), buckets, sum_value=seconds)
    return family
