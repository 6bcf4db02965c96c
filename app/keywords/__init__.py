"""Room: keywords and how well pages and posts cover them."""
