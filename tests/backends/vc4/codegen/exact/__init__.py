"""Tests of exact scheduling on VC4."""
