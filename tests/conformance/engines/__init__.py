"""What runs records: an engine for the meaning of a source, for its code on this computer, and for each machine."""
