"""From selected code to words: scheduling, pairing and registers."""
