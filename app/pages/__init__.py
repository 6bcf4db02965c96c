"""The pages of a project, its sitemap, and how pages are read."""
