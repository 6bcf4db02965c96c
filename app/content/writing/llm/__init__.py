"""The one place that asks a language model: questions, tries, deadlines, what it all took."""
