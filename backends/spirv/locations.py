"""Locations of what flows between stages, for the variables that the source gives none.

Stages of SPIR-V match by location alone.  So attributes are numbered in the order in which the source declares them,
and varyings by name, used or not: two stages that declare the same ones agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod

from glslc_multi.compiler.ir.declarations import Declaration
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.types import matrix_shape
from glslc_multi.compiler.ir.variables import Storage


def locations_of(module: Module, storage: Storage) -> dict[str, int]:
    """Return the first location of each attribute, or of each varying, by its name in the IR."""
    variables = [v for v in module.variables.values() if v.storage == storage]
    sizes = dict(leaf for d in module.declarations if d.storage == storage for leaf in _leaf_sizes(d))
    sizes.update((v.name, v.length * v.columns) for v in variables)
    locations = {v.name: v.location for v in variables if v.location is not None}
    taken = {start + n for name, start in locations.items() for n in range(sizes[name])}
    for name in sorted(sizes) if storage == "varying" else list(sizes):
        if name not in locations and not name.startswith("gl_"):
            start = 0
            while not taken.isdisjoint(range(start, start + sizes[name])):
                start += 1
            locations[name] = start
            taken.update(range(start, start + sizes[name]))
    return locations


def _leaf_sizes(declaration: Declaration) -> Iterator[tuple[str, int]]:
    """List the parts of a declaration that are variables of the IR, with the locations that each takes."""
    types = {member.path: member.type for member in declaration.members}
    for path, type_ in types.items():
        if any(other.startswith((f"{path}.", f"{path}[")) for other in types):
            continue
        columns = matrix_shape(type_)[0] if type_.startswith("mat") else 1
        # The length of an array stands last in its type: `vec4[2]`, or `vec4[3][2]` around that of `vec4[3]`.
        arrays = [types[path[: bracket.start()]] for bracket in re.finditer(r"\[\]", path)]
        lengths = [int(array[:-1].rpartition("[")[2]) for array in arrays]
        yield f"{declaration.name}{path}".removesuffix("[]"), columns * prod(lengths)
