"""Rules that reject a sentence for figures, names or quotes that its evidence does not contain."""
