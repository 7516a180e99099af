"""Linking: matched interfaces, and what two optimised stages know of each other."""
