"""Back ends: a folder for each machine; `registry.py` finds them by name."""
