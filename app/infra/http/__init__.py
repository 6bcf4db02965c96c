"""Outbound HTTP. Imports nothing here, so that pure modules can name its errors without an HTTP client."""
