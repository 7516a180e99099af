"""What front ends share: types, values of them as columns of the IR, memory, and an IR builder that folds."""
