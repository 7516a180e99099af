"""Packing: operations on few components share an instruction of a vector machine."""
