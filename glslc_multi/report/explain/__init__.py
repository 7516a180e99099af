"""How a shader became machine code, for people: a listing in the terminal, and a page for the browser."""
