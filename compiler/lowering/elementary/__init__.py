"""Elementary functions that a target lacks: reduction of the argument and polynomials."""
