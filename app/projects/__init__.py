"""Room: projects."""
