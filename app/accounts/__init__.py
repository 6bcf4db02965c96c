"""Room: accounts, passwords, API keys and limits."""
