"""Execution jobs: their states, how they are created, enqueued, run and ended."""
