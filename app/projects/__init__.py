"""Projects: the websites of an account."""
