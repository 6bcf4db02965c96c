"""The two writers, the digest of the site's own pages and the article of a language model."""
