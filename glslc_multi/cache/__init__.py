"""Runs of the command line that need not happen again: see README.md."""
