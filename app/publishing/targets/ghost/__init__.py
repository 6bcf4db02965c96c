"""Ghost as a publish target, through its Admin API. docs/ghost.md is for owners of sites."""
