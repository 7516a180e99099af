"""Rules of instruction selection, by the kind of operation."""
