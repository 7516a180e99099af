"""The page about textures, `docs/textures.md`: what people wrote, and a table of what each texture unit can do.

`python -m glslc_multi.report.texture_page --write`, or `make docs`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from glslc_multi.compiler.markdown import show_or_write, table

if TYPE_CHECKING:
    from glslc_multi.compiler.isa.textures import TextureUnit

PAGE = Path(__file__).resolve().parents[2] / "docs" / "textures.md"
_TABLE = re.compile(r"(<!-- table: textures -->\n).*?(<!-- end -->)", re.DOTALL)
YES, NO, BY_SIZE = "yes", "no", "by the size"


def _image(kind: str) -> Callable[[TextureUnit], str]:
    return lambda unit: YES if kind in unit.images else NO


def _mode(mode: str) -> Callable[[TextureUnit], str]:
    return lambda unit: YES if mode in unit.modes else NO


def _never(_unit: TextureUnit) -> str:
    return NO


def _in_code(unit: TextureUnit) -> str:
    return "in code" if unit.images and unit.computes_coordinates else NO


def _by_size(unit: TextureUnit) -> str:
    return BY_SIZE if unit.images and unit.computes_coordinates else NO


#: In GLSL's words -> what a target says.
ROWS: dict[str, Callable[[TextureUnit], str]] = {
    "`sampler2D`": _image("2d"),
    "`samplerCube`": _image("cube"),
    "`sampler3D`": _image("3d"),
    "`sampler2DArray`": _image("2d_array"),
    "`sampler1D`": lambda unit: "as a row" if unit.rows else NO,
    "`sampler1DArray`": _image("1d_array"),
    "`sampler2DRect`": _image("rect"),
    "`samplerBuffer`": _image("buffer"),
    "`isampler2D`, `usampler2D` and their like": _never,
    "`sampler2DShadow` and its like": _in_code,
    "lookups in vertex shaders": lambda unit: YES if "vertex" in unit.stages else NO,
    "a bias": _mode("bias"),
    "`textureLod`": _mode("lod"),
    "`textureGrad`": _mode("grad"),
    "`textureSize(s, 0)`": _by_size,
    "`texelFetch(s, p, 0)`": _by_size,
    "`textureOffset`": _by_size,
}


def texture_table() -> str:
    """The table: a row for each thing that GLSL has, a column for each target."""
    from glslc_multi.backends.registry import load_target, target_names

    units = [load_target(name).textures for name in target_names()]
    return table(["", *target_names()], [[what, *(said(unit) for unit in units)] for what, said in ROWS.items()])


def with_fresh_table(text: str) -> str:
    """The page with its table made anew."""
    return _TABLE.sub(lambda found: f"{found[1]}{texture_table()}{found[2]}", text)


if __name__ == "__main__":
    show_or_write(PAGE, with_fresh_table, sys.argv[1:])
