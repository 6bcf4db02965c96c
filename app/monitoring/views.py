"""GET /metrics: what Prometheus reads. Any web process reports on all; most processes have no port."""

import hmac
import logging
from collections.abc import Iterator
from typing import Final

from flask import Blueprint, Flask, Response, abort, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from app.infra import presence, request_counts
from app.infra.logs import cause_of
from app.infra.queue import guarded
from app.infra.settings import current_settings
from app.monitoring import families
from app.monitoring.samples import Sampler

blueprint = Blueprint("monitoring", __name__)

_SCHEME: Final = "Bearer "
_log = logging.getLogger(__name__)


class _Collector:
    """The metrics of one request."""

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics. If the database or Redis is down, report that and leave its metrics out."""
        yield from _of_database()
        yield from _of_redis()


def init_app(app: Flask) -> None:
    """Serve the metrics."""
    app.extensions["sampler"] = Sampler()
    app.register_blueprint(blueprint)


@blueprint.get("/metrics")
def metrics() -> Response:
    """Return all metrics to who has the token; to others there is no such page."""
    given = request.headers.get("Authorization", "")
    wanted = _SCHEME + (current_settings().metrics_token or "")
    if not hmac.compare_digest(given.encode(), wanted.encode()):
        abort(404)
    registry = CollectorRegistry()
    registry.register(_Collector())
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _of_database() -> Iterator[Metric]:
    sampler: Sampler = current_app.extensions["sampler"]
    try:
        sample = sampler.sample()
    except SQLAlchemyError as error:
        _log.warning("The database has no metrics: %s", cause_of(error))
        yield from families.of_parts({"seo_database_up": False, "seo_database_writable": False})
        return
    yield from families.of_parts({"seo_database_up": True, "seo_database_writable": sample.writable})
    yield from families.of_jobs(sample)
    yield from families.of_syncs(sample)
    yield from families.of_publishing(sample)


def _of_redis() -> Iterator[Metric]:
    try:
        with guarded():
            counts = request_counts.totals(current_app._get_current_object())  # type: ignore[attr-defined]
            processes = presence.alive()
    except RedisError as error:
        _log.warning("Redis has no metrics: %s", cause_of(error))
        yield from families.of_parts({"seo_redis_up": False})
        return
    yield from families.of_parts({"seo_redis_up": True})
    yield from families.of_requests(counts)
    yield from families.of_processes(processes)
