"""Runs fragment configurations over many pixels."""
