"""Selection of shuffles, lookups, stores and control flow."""

from __future__ import annotations

from backends.theia.codegen.machine_ops import ALPHA, FILE, OPS, OUTPUT, PIXEL, ROW, SINK, branch, skip
from backends.theia.codegen.rows.emitter import Known, RowEmitter
from backends.theia.codegen.selection.common import below_zero, rules_of
from backends.theia.codegen.selection.conditions import Test
from backends.theia.codegen.texture import emit_lookup, emit_mixed_lookup
from compiler.codegen.machine import Def, Use
from compiler.codegen.selection.rules import gather
from compiler.forms import Form
from compiler.ir.module import Instruction, Value
from compiler.ir.variables import PREAMBLE

_RESULT = Form(__name__, "store of the block of constants")
_NO_COLOUR = Form(__name__, "undefined colour not written")
_TO_MEMORY = Form(__name__, "colour written to memory")
_TO_REGISTER = Form(__name__, "colour written to a register")
_ALPHA_KEPT = Form(__name__, "alpha kept in a register")
_CUT_AT_ZERO = Form(__name__, "channels kept from falling below 0")
_NOT_CUT = Form(__name__, "channels that are not below 0")


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
        _RESULT.fires()
        e.move(value, FILE[e.target.inputs[variable]])
    elif not instruction.address.offset and variable.role != "frag_depth":
        _write_pixel(e, value)


def _write_pixel(e: RowEmitter, value: Value) -> None:
    """The colour, and (where something reads it) alpha in a register of its own."""
    settings = e.target.settings
    channels = range(4 if settings.raw else 3)
    parts = [e.component(value, number) for number in channels]
    if all(isinstance(part, Known) and part.number is None for part in parts):
        _NO_COLOUR.fires()
    else:
        colour = e.row_of(parts[:3])
        if not settings.raw:
            colour = _above_zero(e, colour, value)
        if settings.has_memory:
            _TO_MEMORY.fires()
            e.emit(OPS["OMWRITE"], [Def(SINK, ROW)], [Use(PIXEL, ROW), colour])
        else:
            _TO_REGISTER.fires()
            e.emit(OUTPUT, [Def(SINK, ROW)], [colour])
    if settings.raw:
        _ALPHA_KEPT.fires()
        e.copy(Def(ALPHA, ROW), e.row_of(parts[3:]))


def _above_zero(e: RowEmitter, row: Use, value: Value) -> Use:
    if e.target.ranges.is_not_negative(value):
        _NOT_CUT.fires()
        return row
    _CUT_AT_ZERO.fires()
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
