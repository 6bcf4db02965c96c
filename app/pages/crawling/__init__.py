"""Reads the pages that are due, politely."""
