"""Applies a parsed sitemap to the pages of a project."""
