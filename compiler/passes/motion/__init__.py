"""Passes that move code to where it runs less often."""
