"""SPIR-V: its instructions as a table, and modules as words and as text."""
