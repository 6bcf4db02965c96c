"""The embedded writer: a digest of the site's own pages, offline and deterministic."""
