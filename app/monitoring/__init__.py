"""What a monitoring system asks the service: GET /metrics."""
