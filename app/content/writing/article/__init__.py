"""The engine that writes with a language model and keeps only sentences that their evidence supports."""
