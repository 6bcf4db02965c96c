"""Room: blog posts and how they are written."""
