"""Host code for the console: see README.md."""
