"""What code generators of all targets share; `target` says what a backend offers to the driver."""
