"""Forms: what people type, and how it becomes the input of a service."""
