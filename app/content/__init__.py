"""Blog posts and how they are written."""
