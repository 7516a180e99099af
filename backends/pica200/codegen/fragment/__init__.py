"""From IR to the combiners: algebra, a search for the fewest stages, registers."""
