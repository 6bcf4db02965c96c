"""Google Search Console: OAuth, its API, the connection of a project, and what is fetched from there."""
