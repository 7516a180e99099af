"""Small faults planted into the compiler, to see whether the tests notice: see README.md."""
