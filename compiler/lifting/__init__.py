"""Machine code to IR: the engine whose numbers are values under construction, and the interface that they have."""
