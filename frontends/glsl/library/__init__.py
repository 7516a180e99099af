"""The built-in functions of GLSL: which there are in each version, and what they mean."""
