"""Tests of the example shaders."""
