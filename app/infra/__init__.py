"""Ground: database, queue, outbound HTTP, clock, logs and crypto."""
