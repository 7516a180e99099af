"""Ablation: what each piece of the compiler buys in size of code, and what it costs in compile time."""
