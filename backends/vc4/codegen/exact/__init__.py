"""Exact scheduling: straight-line code as a problem for a solver, and what it finds as words."""
