"""Selection of shuffles, lookups, stores and control flow."""

from __future__ import annotations

from glslc_multi.backends.theia.codegen.machine_ops import (
    ALPHA,
    END,
    FILE,
    OPS,
    OUTPUT,
    PIXEL,
    ROW,
    SINK,
    ZERO,
    branch,
    skip,
)
from glslc_multi.backends.theia.codegen.rows.emitter import Known, RowEmitter
from glslc_multi.backends.theia.codegen.selection.common import below_zero, rules_of
from glslc_multi.backends.theia.codegen.selection.conditions import Test
from glslc_multi.backends.theia.codegen.texture import emit_lookup, emit_mixed_lookup
from glslc_multi.compiler.codegen.machine import Def, Use
from glslc_multi.compiler.codegen.selection.rules import gather
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Function, Instruction, Value
from glslc_multi.compiler.ir.variables import PREAMBLE


def _is_row(shuffle: Instruction) -> bool:
    return shuffle.type.width <= 3


RULES = rules_of("br -> JUMP")
RULES.rule("swizzle", "construct", "insert", "btof", where=_is_row)(gather)


@RULES.rule("texture")
def texture(e: RowEmitter, instruction: Instruction) -> None:
    lookup = emit_mixed_lookup if e.target.settings.linear else emit_lookup
    lookup(e, instruction)


@RULES.rule("store")
def store(e: RowEmitter, instruction: Instruction) -> None:
    """What the block of constants computes, or the pixel's colour; nothing else is stored at this point."""
    value, variable = instruction.operands[-1], instruction.address.variable
    if variable.role == PREAMBLE:
        e.move(value, FILE[e.target.inputs[variable]])
    elif not instruction.address.offset and variable.role != "frag_depth":
        _write_pixel(e, value)


def _write_pixel(e: RowEmitter, value: Value) -> None:
    """The colour, and (where something reads it) alpha in a register of its own."""
    settings = e.target.settings
    channels = range(4 if settings.raw else 3)
    parts = [e.component(value, number) for number in channels]
    if not all(isinstance(part, Known) and part.number is None for part in parts):
        colour = e.row_of(parts[:3])
        if not settings.raw:
            colour = _above_zero(e, colour, value)
        if settings.has_memory:
            _write_to_memory(e, colour)
        else:
            e.emit(OUTPUT, [Def(SINK, ROW)], [colour])
    elif settings.has_memory:
        # Without a write the pixel would be discarded.
        _write_to_memory(e, Use(ZERO, ROW))
    if settings.raw:
        e.copy(Def(ALPHA, ROW), e.row_of(parts[3:]))


def _write_to_memory(e: RowEmitter, colour: Use) -> None:
    e.emit(OPS["OMWRITE"], [Def(SINK, ROW)], [Use(PIXEL, ROW), colour])


@RULES.rule("ret")
def end(e: RowEmitter, instruction: Instruction) -> None:
    """Write the pixel of a shader that says nothing of its colour: it is kept."""
    assert instruction.block is not None
    function = instruction.block.function
    if e.target.settings.has_memory and function is function.module.main and not _says_colour(function):
        _write_to_memory(e, Use(ZERO, ROW))
    e.emit(END)


def _says_colour(function: Function) -> bool:
    stores = (instruction.address.variable for instruction in function.instructions() if instruction.op is ops.STORE)
    return any(variable.role in ("frag_color", "frag_data") for variable in stores)


def _above_zero(e: RowEmitter, row: Use, value: Value) -> Use:
    if e.target.ranges.is_not_negative(value):
        return row
    return e.compute("SUB", row, e.compute("MUL", below_zero(e, row), row))


@RULES.rule("kill(condition)")
def kill(e: RowEmitter, instruction: Instruction, condition: Value) -> None:
    """Skip the write of the pixel, which follows."""
    test = Test(e)
    tree = test.condition_of(condition)
    e.emit(skip(len(test.operands)), [], test.operands, condition=tree)


@RULES.rule("condbr(condition)")
def conditional(e: RowEmitter, instruction: Instruction, condition: Value) -> None:
    test = Test(e)
    tree = test.condition_of(condition)
    e.emit(branch(len(test.operands)), [], test.operands, condition=tree)
