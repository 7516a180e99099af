"""SPIR-V: modules in, IR out."""
