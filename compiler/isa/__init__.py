"""What descriptions of instruction sets share: fields of words, lines of text, listings."""
