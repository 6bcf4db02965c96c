"""Room: publish targets and publications, exactly once."""
