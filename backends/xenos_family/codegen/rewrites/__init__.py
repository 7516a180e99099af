"""Rewrites of the IR for this machine, around legalization."""
