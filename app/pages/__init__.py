"""Room: a project's pages, its sitemap and how pages are read."""
