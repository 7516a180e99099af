"""The language server: what an editor asks about a shader, answered by the compiler's own front end."""
