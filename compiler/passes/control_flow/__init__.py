"""Passes over blocks: branches, loops and calls."""
