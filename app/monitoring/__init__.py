"""What a monitoring system asks the service: GET /metrics. Its modules are loaded if METRICS_TOKEN is set."""

from importlib import import_module

from flask import Flask

from app.config import Settings


def init_app(app: Flask, settings: Settings) -> None:
    if settings.metrics_token is not None:
        import_module("app.monitoring.views").init_app(app)
