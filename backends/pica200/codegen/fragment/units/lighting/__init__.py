"""Fragment lighting: dot products of normal, light and view become lights and tables of the lighting unit."""
