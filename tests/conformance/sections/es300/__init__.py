"""Sections of the GLSL ES 3.00 specification."""
