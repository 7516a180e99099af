"""The playground: GLSL on one side of a page, machine code on the other."""
