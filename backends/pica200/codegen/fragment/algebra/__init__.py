"""The algebra: polynomials over clamped values, their ranges, and what comparisons mean in them."""
