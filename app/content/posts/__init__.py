"""Blog posts as people work with them: list, read, edit, compare, check, propose."""
