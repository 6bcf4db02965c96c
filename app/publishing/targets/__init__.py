"""The kinds of publish target; one module for each."""
