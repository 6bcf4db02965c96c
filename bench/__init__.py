"""Measurements: ratios to a peer or a limit in one run; docs/performance.md explains how to repeat them."""
