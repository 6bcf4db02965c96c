"""Infrastructure: database, queue, outbound HTTP, URLs, clock, logs, metrics and encryption."""
