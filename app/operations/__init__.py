"""What an execution job can do, one module for each operation."""
