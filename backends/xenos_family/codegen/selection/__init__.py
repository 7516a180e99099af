"""Rules of instruction selection, by kind."""
