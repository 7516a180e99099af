"""Passes: transforms that improve a module, one a file, run by pipelines."""
