"""Publish targets and publications."""
