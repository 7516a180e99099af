"""Changes of the IR that suit AGAL: conditions as numbers, and what its instructions do at once."""
