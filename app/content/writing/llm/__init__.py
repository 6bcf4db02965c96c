"""Calls of language models: questions, retries, deadlines, usage."""
