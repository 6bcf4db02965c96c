"""Objects in a bucket of a server that speaks S3."""
