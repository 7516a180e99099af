"""Where the special function unit's 13 bits are enough: errors of functions, carried to the bytes of a pixel."""
