"""How connections become requests: whole requests for threads, and a deadline for slow clients."""
