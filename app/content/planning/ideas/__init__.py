"""Title ideas: what a next post could be about."""
