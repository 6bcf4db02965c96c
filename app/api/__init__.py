"""The interface for integrators: the JSON API."""
