"""Tests of `backends/theia/codegen/selection`."""
