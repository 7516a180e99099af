"""Tests of what a compilation says about itself."""
