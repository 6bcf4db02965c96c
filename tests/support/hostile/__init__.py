"""A corpus of hostile sitemaps and servers, each with what must be made of it. Made by code; needs no pytest."""
