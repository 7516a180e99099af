"""How far code at -O2 is from the shortest: see README.md."""
