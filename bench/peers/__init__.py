"""The empty job of each engine that ours is measured against."""
