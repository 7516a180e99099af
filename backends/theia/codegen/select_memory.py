"""Selection of shuffles, lookups, stores and control flow."""

from __future__ import annotations

from backends.theia.codegen.machine_ops import ALPHA, END, FILE, JUMP, OPS, OUTPUT, PIXEL, ROW, SINK, branch, skip
from backends.theia.codegen.rows.emitter import Known, RowEmitter
from backends.theia.codegen.rule_set import SIGN_TO_ONE, Emit, below_zero, discard, rule
from backends.theia.codegen.select_conditions import Test
from backends.theia.codegen.texture import emit_lookup, emit_mixed_lookup
from compiler.codegen.machine import Def, Use
from compiler.ir import ops
from compiler.ir.module import Instruction, Value
from compiler.ir.variables import PREAMBLE


@rule(ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT, ops.BTOF)
def shuffle(instruction: Instruction) -> Emit | None:
    if instruction.type.width > 3:
        return None
    return lambda e: e.gather(instruction, e.register(instruction))


@rule(ops.TEXTURE)
def texture(instruction: Instruction) -> Emit:
    return lambda e: (emit_mixed_lookup if e.target.settings.linear else emit_lookup)(e, instruction)


@rule(ops.STORE)
def store(instruction: Instruction) -> Emit:
    """What the block of constants computes, or the pixel's colour; nothing else is stored at this point."""
    value, variable = instruction.operands[-1], instruction.address.variable
    if variable.role == PREAMBLE:
        return lambda e: e.move(value, FILE[e.target.inputs[variable]])
    if instruction.address.offset or variable.role == "frag_depth":
        return lambda e: None
    return lambda e: _write_pixel(e, value)


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
    if e.ranges.is_not_negative(value):
        return row
    return e.compute("SUB", row, e.compute("MUL", below_zero(e, row, SIGN_TO_ONE), row))


@rule(ops.KILL)
def kill(instruction: Instruction) -> Emit:
    """Skip the write of the pixel, which follows."""

    def emit(e: RowEmitter) -> None:
        test = Test(e)
        condition = test.condition_of(instruction.operands[0])
        e.emit(skip(len(test.operands)), [], test.operands, condition=condition)

    return emit


@rule(ops.CONDBR)
def conditional(instruction: Instruction) -> Emit:
    def emit(e: RowEmitter) -> None:
        test = Test(e)
        condition = test.condition_of(instruction.operands[0])
        e.emit(branch(len(test.operands)), [], test.operands, condition=condition)

    return emit


@rule(ops.BR)
def jump(instruction: Instruction) -> Emit:
    return lambda e: discard(e.emit(JUMP))


@rule(ops.RET)
def end(instruction: Instruction) -> Emit:
    return lambda e: discard(e.emit(END))
