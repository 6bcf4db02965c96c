"""The web process: ``gunicorn wsgi:app``."""

from app.factory import start_app

app = start_app()
