"""The interface to RQ: workers, tasks and the periodic table."""
