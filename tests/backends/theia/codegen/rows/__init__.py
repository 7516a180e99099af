"""Tests of `backends/theia/codegen/rows`."""
