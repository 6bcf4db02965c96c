"""A project at a glance: what needs a hand, how it goes, what happened and what comes."""
