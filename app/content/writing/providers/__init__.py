"""Text providers behind one small protocol; vendor code stays in this package."""
