"""Keywords, and how well pages and posts cover them."""
