"""Programs of others, which judge what the compiler makes."""
