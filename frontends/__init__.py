"""Front ends: a folder for each language; `registry.py` finds the one that takes a source."""
