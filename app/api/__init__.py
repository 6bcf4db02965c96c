"""Face: the JSON Public API."""
