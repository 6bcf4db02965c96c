"""Finds, fetches and parses sitemaps."""
