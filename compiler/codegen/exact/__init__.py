"""Exact scheduling: the shortest words of small blocks, with a proof, or the gap that is left."""
