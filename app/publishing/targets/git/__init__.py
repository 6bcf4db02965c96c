"""Posts as Markdown files in Git repositories: on this machine's disk, or at a forge such as GitHub."""
