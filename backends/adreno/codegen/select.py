"""Instruction selection: which operations compute an IR instruction.

In: the legalised `main`.  Out: machine code on virtual registers, one operation an instruction; pairs of vector and
scalar operations are made later (`dual_issue.py`).  Signs, absolute values and swizzles belong to the sources.

Bools are floats, 1 or 0, and all conditions are comparisons.  Tests against 0 need no comparison: the machine
selects, kills and branches by the sign of a number.

Here are the rules of arithmetic; importing the files of conditions, memory and textures adds theirs.
"""

from __future__ import annotations

from collections.abc import Mapping

from backends.adreno.codegen import select_conditions, select_memory, select_textures
from backends.adreno.codegen.machine_ops import CHANGE, SCALAR, VECTOR
from backends.adreno.codegen.rule_set import RULES, Emit, Selection, discard, literal, negated
from compiler.codegen.machine import Def, Use
from compiler.codegen.select import Emitter
from compiler.ir import ops
from compiler.ir.module import Instruction, Value
from compiler.ir.ops import Opcode

__all__ = ["Selection", "select_conditions", "select_memory", "select_textures"]

#: Opcode -> vector operation, its sources in order as numbers of the operands, and which of them it negates.
_COMPONENTWISE: Mapping[Opcode, tuple[str, tuple[int, ...], tuple[int, ...]]] = {
    ops.FADD: ("ADDv", (0, 1), ()),
    ops.FSUB: ("ADDv", (0, 1), (1,)),
    ops.FMUL: ("MULv", (0, 1), ()),
    ops.FMAD: ("MULADDv", (0, 1, 2), ()),
    ops.FMIN: ("MINv", (0, 1), ()),
    ops.FMAX: ("MAXv", (0, 1), ()),
    ops.FFLOOR: ("FLOORv", (0,), ()),
    ops.FFRACT: ("FRACv", (0,), ()),
    ops.FTRUNC: ("TRUNCv", (0,), ()),
    ops.FSTEP: ("SETGTEv", (1, 0), ()),
    ops.FLT: ("SETGTv", (1, 0), ()),
    ops.FLE: ("SETGTEv", (1, 0), ()),
    ops.FEQ: ("SETEv", (0, 1), ()),
    ops.FNE: ("SETNEv", (0, 1), ()),
}


def _compute(e: Emitter, instruction: Instruction, result: Def) -> None:
    """The operation of a row of the table, with its result anywhere."""
    name, order, negated_sources = _COMPONENTWISE[instruction.op]
    width = instruction.type.width
    sources = [e.use(instruction.operands[number], width=width) for number in order]
    for number in negated_sources:
        negated(sources[number])
    e.emit(VECTOR[name], [result], sources)


@RULES.rule(*_COMPONENTWISE)
def componentwise(instruction: Instruction) -> Emit:
    return lambda e: _compute(e, instruction, e.define(instruction))


@RULES.rule(ops.BTOF)
def number_of_bool(instruction: Instruction) -> Emit:
    """A comparison yields the number; any other bool is one already."""
    operand = instruction.operands[0]
    if isinstance(operand, Instruction) and operand.op in _COMPONENTWISE:
        return lambda e: _compute(e, operand, e.define(instruction))
    return lambda e: _copy(e, operand, e.define(instruction))


@RULES.rule(ops.FNEG, ops.FABS, ops.SWIZZLE)
def changed_copy(instruction: Instruction) -> Emit:
    return lambda e: _copy(e, instruction, e.define(instruction))


def _copy(e: Emitter, value: Value, target: Def) -> None:
    e.copy(target, e.use(value))


@RULES.rule(ops.FSATURATE)
def saturate(instruction: Instruction) -> Emit:
    """`fixup.py` lets what computes the operand limit it."""
    operand = instruction.operands[0]
    return lambda e: discard(e.emit(CHANGE, [e.define(instruction)], [e.use(operand)], clamp=True))


@RULES.rule(ops.CONSTRUCT, ops.INSERT)
def gather(instruction: Instruction) -> Emit:
    return lambda e: e.gather(instruction, e.register(instruction))


# --------------------------------------------------------------------------------------------- scalar functions
_SCALAR: Mapping[Opcode, str] = {
    ops.FRCP: "RECIP_IEEE",
    ops.FRSQRT: "RECIPSQ_IEEE",
    ops.FSQRT: "SQRT_IEEE",
    ops.FEXP2: "EXP_IEEE",
    ops.FLOG2: "LOG_IEEE",
    ops.FSIN: "SIN",
    ops.FCOS: "COS",
}


@RULES.rule(*_SCALAR)
def scalar_function(instruction: Instruction) -> Emit:
    """One operation for each different component; its result goes to all components that use it."""

    def emit(e: Emitter) -> None:
        operand, register = instruction.operands[0], e.register(instruction)
        groups: dict[tuple[object, ...], tuple[Use, list[int]]] = {}
        for component in range(instruction.type.width):
            use = e.use(operand, (component,))
            key = (use.register, use.lanes, use.negate, use.absolute)
            groups.setdefault(key, (use, []))[1].append(component)
        for use, components in groups.values():
            e.emit(SCALAR[_SCALAR[instruction.op]], [Def(register, tuple(components))], [use])

    return emit


# --------------------------------------------------------------------------------------------------- products
_DOTS = {3: "DOT3v", 4: "DOT4v"}


@RULES.rule(ops.DOT)
def dot(instruction: Instruction) -> Emit:
    x, y = instruction.operands
    width = x.type.width

    def emit(e: Emitter) -> None:
        if width == 1:
            e.emit(VECTOR["MULv"], [e.define(instruction)], [e.use(x), e.use(y)])
        elif width == 2:
            e.emit(VECTOR["DOT2ADDv"], [e.define(instruction)], [e.use(x), e.use(y), literal(0.0)])
        else:
            e.emit(VECTOR[_DOTS[width]], [e.define(instruction)], [e.use(x), e.use(y)])

    return emit


@RULES.rule(ops.FADD, priority=1)
def dot_and_sum(instruction: Instruction) -> Emit | None:
    """A dot product of two components, plus a number."""
    for number, product in enumerate(instruction.operands):
        if isinstance(product, Instruction) and _is_short_dot(product):
            x, y = product.operands
            other = instruction.operands[1 - number]
            return lambda e: discard(
                e.emit(VECTOR["DOT2ADDv"], [e.define(instruction)], [e.use(x), e.use(y), e.use(other)])
            )
    return None


def _is_short_dot(value: Instruction) -> bool:
    return value.op is ops.DOT and value.operands[0].type.width == 2 and sum(value.users.values()) == 1
