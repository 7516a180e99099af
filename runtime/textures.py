"""Textures for running shaders: an image with its filter, wrap and mipmaps (see `Texture`)."""

from __future__ import annotations

from compiler.arithmetic.sampling import FILTERS, WRAPS, Texture

__all__ = ["FILTERS", "WRAPS", "Texture"]
