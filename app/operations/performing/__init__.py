"""The work of operations that only workers load: what they import takes long to load and much memory."""
