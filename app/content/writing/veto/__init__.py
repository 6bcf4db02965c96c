"""What no sentence may say, whoever verified it: figures, names, quotes that its evidence does not hold."""
