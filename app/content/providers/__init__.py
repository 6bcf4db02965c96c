"""Text providers behind one small protocol."""
