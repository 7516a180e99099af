"""Host code for the Raspberry Pi: what draws with a compiled program (see README.md)."""
