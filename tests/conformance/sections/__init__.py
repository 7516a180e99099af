"""The definitions of the cases: one module for each part of the specification, each with a function `cases`."""
