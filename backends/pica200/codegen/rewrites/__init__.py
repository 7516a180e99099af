"""Rewrites of the IR before selection: what the machine lacks or has in cheaper forms."""
