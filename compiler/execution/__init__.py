"""Machine code run over many lanes: a machine described once, executed by numpy or by code of this computer."""
