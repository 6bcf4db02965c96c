"""Accounts, passwords, API keys and limits."""
