"""Host code: what targets share that write the loader of a compiled program (see README.md)."""
