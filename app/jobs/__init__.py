"""Face: what RQ and the scheduler call."""
