"""What functions of shading languages mean, over the opcodes of the IR."""
