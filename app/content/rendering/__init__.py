"""Markdown and the one sanitiser: how a post's text is written and shown."""
