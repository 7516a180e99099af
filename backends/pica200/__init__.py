"""PICA200, the vertex and geometry shader unit of a handheld console."""
