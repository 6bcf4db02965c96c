"""Infrastructure: database, queue, outbound HTTP, URLs, clock, settings, logs and encryption."""
