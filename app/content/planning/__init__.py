"""What a post is about: topic, keyphrase, title, requested sections, and ideas for next ones."""
