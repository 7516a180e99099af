"""Selection of shuffles, lookups, stores and control flow."""

from __future__ import annotations

from backends.theia.codegen.machine_ops import ALPHA, FILE, OPS, OUTPUT, PIXEL, ROW, SINK, branch, skip
from backends.theia.codegen.rows.emitter import Known, RowEmitter
from backends.theia.codegen.selection.common import below_zero, rules_of
from backends.theia.codegen.selection.conditions import Test
from backends.theia.codegen.texture import emit_lookup, emit_mixed_lookup
from compiler.codegen.machine import Def, Use
from compiler.codegen.selection.rules import gather
from compiler.ir.module import Instruction, Value
from compiler.ir.variables import PREAMBLE


def _is_row(shuffle: Instruction) -> bool:
    return shuffle.type.width <= 3


RULES = rules_of("br -> JUMP", "ret -> END")
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
            e.emit(OPS["OMWRITE"], [Def(SINK, ROW)], [Use(PIXEL, ROW), colour])
        else:
            e.emit(OUTPUT, [Def(SINK, ROW)], [colour])
    if settings.raw:
        e.copy(Def(ALPHA, ROW), e.row_of(parts[3:]))


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
