"""Tests of exact scheduling."""
