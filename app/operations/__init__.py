"""Stair: what an execution job can do, one module an operation."""
