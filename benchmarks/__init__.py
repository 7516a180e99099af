"""Measurements, each a module to run: `python -m benchmarks.NAME`."""
