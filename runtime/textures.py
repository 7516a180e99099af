"""Textures for running shaders: an image with its kind, filter, wrap and mipmaps (see `Texture`)."""

from __future__ import annotations

from glslc_multi.compiler.arithmetic.images import KINDS
from glslc_multi.compiler.arithmetic.sampling import COMPARES, FILTERS, WRAPS, Texture

__all__ = ["COMPARES", "FILTERS", "KINDS", "WRAPS", "Texture"]
