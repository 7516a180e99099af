"""Functions of one or two interpolated numbers as images that the host computes."""
