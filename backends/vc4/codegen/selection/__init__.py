"""Instruction selection: the emitter, the rules by kind of operation, and the code at a program's start and end."""
