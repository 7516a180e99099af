"""Tests of what editors and pages show of GLSL."""
