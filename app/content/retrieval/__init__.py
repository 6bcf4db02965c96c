"""Finding what a project's pages say on a subject."""
