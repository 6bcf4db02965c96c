"""Room: execution jobs, their states and guarantees."""
