"""Readers of recorded cases, one a schema."""
