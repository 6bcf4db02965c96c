"""From drafted sections to the finished post: text, links, questions, schema.org data."""
