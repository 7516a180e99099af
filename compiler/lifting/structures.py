"""Structures of an interface, found again in the names that a register map has: `lights[].colour`.

The map has the number of elements in all, not that of each array around it.  An array of structures is taken for as
long as all of its members allow; what a member has beyond that is an array of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd, prod

from glslc_multi.compiler.ir.declarations import Declaration, Member
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Precision, Storage, Variable

#: A variable, and the steps of its name that remain.
_Leaf = tuple[Variable, list[str]]


def declare_structures(module: Module) -> None:
    """Declare what variables with members in their names are parts of."""
    roots: dict[str, list[_Leaf]] = {}
    for variable in module.variables.values():
        first, *rest = variable.name.split(".")
        if rest and not first.startswith("gl_"):
            roots.setdefault(first, []).append((variable, rest))
    taken = {name.partition(".")[0].removesuffix("[]") for name in module.variables}
    for first, leaves in roots.items():
        storage = leaves[0][0].storage
        members = tuple(_members("", first, leaves, (), taken))
        kind: Storage = "uniform" if storage == "sampler" else storage
        module.declarations.append(Declaration(first.removesuffix("[]"), kind, members[0].type, members))


def _members(
    path: str, step: str, leaves: Sequence[_Leaf], outer: tuple[int, ...], taken: set[str]
) -> Iterator[Member]:
    """List the parts of what a step of a name stands for, inside arrays of some lengths; variables learn theirs."""
    variable, rest = leaves[0]
    precision: Precision = ""
    count = gcd(*(each.length // prod(outer) for each, _ in leaves))
    is_array = step.endswith("[]") or (not rest and count > 1)
    dims = (*outer, count) if is_array else outer
    if rest:
        type = _new_name(step, taken)
    else:
        variable.dims = dims
        type = variable.type.kind if variable.storage == "sampler" else variable.outer_type
        precision = variable.precision
    if is_array:
        yield Member(path, f"{type}[{count}]")
        path = f"{path}[]"
    yield Member(path, type, precision)
    members: dict[str, list[_Leaf]] = {}
    for each, names in leaves if rest else ():
        members.setdefault(names[0], []).append((each, names[1:]))
    for name, group in members.items():
        yield from _members(f"{path}.{name.removesuffix('[]')}", name, group, dims, taken)


def _new_name(step: str, taken: set[str]) -> str:
    """Return a name for the type of `u_lights[]`: `Lights`."""
    words = [word for word in step.removesuffix("[]").split("_") if len(word) > 1] or ["Structure"]
    name = "".join(word[0].upper() + word[1:] for word in words)
    while name in taken:
        name += "_"
    taken.add(name)
    return name
