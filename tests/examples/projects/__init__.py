"""Tests of the complete projects."""
