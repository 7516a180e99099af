"""Code generation: from IR to words."""
