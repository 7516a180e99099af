"""The machine: runs words, by an interpreter and as code of this computer."""
