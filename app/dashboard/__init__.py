"""Face: the HTML dashboard."""
