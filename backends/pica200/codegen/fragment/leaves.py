"""Names of what the combiners read: channels of textures, of the interpolated colour and of the lighting unit."""

from __future__ import annotations

from collections.abc import Mapping

from backends.pica200.codegen.fragment.algebra.polynomials import Atom, Channel
from backends.pica200.codegen.fragment.build import NameLeaf
from backends.pica200.codegen.fragment.colours import COLOUR
from backends.pica200.codegen.fragment.refusals.operations import has_place, refuse_input, refuse_vector
from backends.pica200.isa.fragment.combiners import CHANNELS, LIGHTING_SOURCES
from compiler.diagnostics import DiagnosticSink
from compiler.ir import ops
from compiler.ir.module import Instruction, Module
from compiler.ir.variables import MACHINE, Variable


def make_lighting_inputs(module: Module) -> None:
    """The colours of the lighting unit are inputs of the machine, and nothing that a vertex shader writes."""
    for variable in module.variables.values():
        if variable.name in LIGHTING_SOURCES and variable.storage == "varying":
            variable.storage, variable.role = "input", MACHINE


def lighting_source(variable: Variable) -> str | None:
    return LIGHTING_SOURCES.get(variable.name) if variable.role == MACHINE else None


def provisional(sink: DiagnosticSink) -> NameLeaf:
    """Before textures have units and varyings channels: every number is a channel of its own."""

    def name(leaf: Instruction, part: int) -> Atom:
        _check_input(leaf, sink)
        return Channel(f"%{leaf.id}", CHANNELS[part])

    return name


def final(unit_of: Mapping[Instruction, int], sink: DiagnosticSink) -> NameLeaf:
    """As combiners name them."""

    def name(leaf: Instruction, part: int) -> Atom:
        _check_input(leaf, sink)
        if leaf.op is ops.TEXTURE:
            return Channel(f"texture{unit_of[leaf]}", CHANNELS[part])
        variable = leaf.address.variable
        source = lighting_source(variable)
        if not source and variable.name != COLOUR:
            refuse_vector(leaf, sink)
        return Channel(source or "primary", CHANNELS[part])

    return name


def _check_input(leaf: Instruction, sink: DiagnosticSink) -> None:
    if leaf.op is not ops.LOAD:
        return
    variable = leaf.address.variable
    if has_place(variable) or (variable.storage == "input" and not lighting_source(variable)):
        refuse_input(leaf, sink)
