"""Numbers: the arithmetic protocol that meanings are written in, and its instance over numpy lanes."""
