"""A module by its parts: types, constants, decorations, places, functions."""
