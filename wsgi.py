"""The web process: ``gunicorn wsgi:app``."""

import gc

# What is imported stays. Looking through all of it again and again would take a quarter of the start.
gc.disable()

from app.factory import start_app  # noqa: E402

app = start_app()
gc.freeze()
gc.enable()
