"""Tests of compiler/diagnostics."""
