"""What rows of the opcode table are made of: records, meanings, types of results."""
