"""The fewest stages that compute a pixel."""
