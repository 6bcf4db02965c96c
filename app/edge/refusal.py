"""Requests that the web server refuses before the application would read them."""

from typing import Final

REFUSED: Final = "service.refused"
"""The key of a WSGI environment with the HTTP status that the application shall answer at once."""
