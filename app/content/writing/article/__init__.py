"""The engine that drafts with a language model, and lets stand only what its evidence holds."""
