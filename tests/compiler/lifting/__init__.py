"""Tests of lifting."""
