"""Languages: their words, sentences, and the fixed lines of a post."""
