"""WordPress as a publish target, through its REST API. docs/wordpress.md is for owners of sites."""
