"""Measurements: ratios to a peer or a limit in one run; docs/performance.md tells how to repeat them."""
