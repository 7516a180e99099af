"""The versions of GLSL as data: what each has, which words it keeps, and how a text says which it is."""
