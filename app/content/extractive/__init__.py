"""The extractive engine: posts made of excerpts, stage by stage."""
