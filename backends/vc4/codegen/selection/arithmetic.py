"""Rules for arithmetic on single numbers: operations that one of the ALUs has, products of ints, rounding."""

from __future__ import annotations

from collections.abc import Mapping

from backends.vc4.codegen.machine_ops import ZERO
from backends.vc4.codegen.selection.emitter import RULES, Emit, QpuEmitter, literal, qpu, rule
from backends.vc4.isa.instructions import Condition
from compiler.codegen.machine import Def, Use
from compiler.codegen.select import Emitter
from compiler.ir import ops
from compiler.ir.module import RELAXED, Instruction
from compiler.ir.ops import Opcode

_PLAIN: Mapping[Opcode, str] = {
    ops.FADD: "fadd",
    ops.FSUB: "fsub",
    ops.FMUL: "fmul",
    ops.FMIN: "fmin",
    ops.FMAX: "fmax",
    ops.ITOF: "itof",
    ops.FTOI: "ftoi",
    ops.IADD: "add",
    ops.ISUB: "sub",
    ops.AND: "and",
    ops.OR: "or",
    ops.XOR: "xor",
    ops.NOT: "not",
}


@rule(*_PLAIN)
def plain(e: QpuEmitter, instruction: Instruction) -> None:
    """One instruction for one operation."""
    e.alu(_PLAIN[instruction.op], e.define(instruction), *(e.read(operand) for operand in instruction.operands))


@rule(ops.FNEG, ops.INEG)
def negation(e: QpuEmitter, instruction: Instruction) -> None:
    name = "fsub" if instruction.op is ops.FNEG else "sub"
    e.alu(name, e.define(instruction), Use(ZERO), e.read(instruction.operands[0]))


@rule(ops.FABS)
def magnitude(e: QpuEmitter, instruction: Instruction) -> None:
    source = e.read(instruction.operands[0])
    e.alu("fmaxabs", e.define(instruction), source, source)


_OF_MAGNITUDES = {ops.FMIN: "fminabs", ops.FMAX: "fmaxabs"}


@RULES.rule(*_OF_MAGNITUDES, priority=1)
def choice_of_magnitudes(instruction: Instruction) -> Emit | None:
    """min(abs(x), abs(y)) is one instruction."""
    sources = [o.operands[0] for o in instruction.operands if isinstance(o, Instruction) and o.op is ops.FABS]
    if len(sources) < 2:
        return None

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        e.alu(_OF_MAGNITUDES[instruction.op], e.define(instruction), e.read(sources[0]), e.read(sources[1]))

    return emit


#: The multiplier takes so many bits, without sign.
_FACTOR_LIMIT = (1 << 24) - 1


@rule(ops.IMUL)
def product(e: QpuEmitter, instruction: Instruction) -> None:
    """The low 32 bits: low * low + (low * high + high * low) << 24; only the first part where both factors are low."""
    x, y = (e.read(operand) for operand in instruction.operands)
    bounds = [e.range_of(operand, instruction) for operand in instruction.operands]
    if all(bound.low >= 0 and bound.high <= _FACTOR_LIMIT for bound in bounds):
        e.alu("mul24", e.define(instruction), x, y)
        return
    upper = e.value("mul24", e.value("shr", x, literal(-8)), y)
    lower = e.value("mul24", x, e.value("shr", y, literal(-8)))
    high = e.value("shl", e.value("add", upper, lower), literal(-8))
    e.alu("add", e.define(instruction), e.value("mul24", x, y), high)


# --------------------------------------------------------------------------------------------- rounding
def truncated(e: QpuEmitter, source: Use) -> Use:
    """A float without its fraction, where it fits into an int."""
    return e.value("itof", e.value("ftoi", source))


#: Floats from here on are whole, and some are no ints.
_LARGE = 2.0**30


def _correct_large(e: QpuEmitter, instruction: Instruction, result: Def, value: Use) -> None:
    """Where a number may be too large for an int, overwrite the result with the right one."""
    operand = instruction.operands[0]
    bounds = e.range_of(operand, instruction)
    if instruction.flags & RELAXED or (bounds.low >= -_LARGE and bounds.high <= _LARGE):
        return
    e.alu("fmaxabs", None, e.read(operand), literal(_LARGE), sets_flags=True)
    e.alu("mov", result, value, cond=Condition.C)


@rule(ops.FTRUNC)
def truncation(e: QpuEmitter, instruction: Instruction) -> None:
    source, result = e.read(instruction.operands[0]), e.define(instruction)
    e.alu("itof", result, e.value("ftoi", source))
    _correct_large(e, instruction, result, source)


@rule(ops.FFLOOR, ops.FCEIL)
def rounding(e: QpuEmitter, instruction: Instruction) -> None:
    """Truncated, and corrected by one where that rounded in the wrong direction."""
    source, result = e.read(instruction.operands[0]), e.define(instruction)
    e.alu("itof", result, e.value("ftoi", source))
    whole = Use(result.register)
    is_floor = instruction.op is ops.FFLOOR
    pair = (source, whole) if is_floor else (whole, source)
    e.alu("fsub", None, *pair, sets_flags=True)
    e.alu("fsub" if is_floor else "fadd", result, whole, literal(1.0), cond=Condition.N)
    _correct_large(e, instruction, result, source)


@rule(ops.FFRACT)
def fraction(e: QpuEmitter, instruction: Instruction) -> None:
    source, result = e.read(instruction.operands[0]), e.define(instruction)
    e.alu("fsub", result, source, truncated(e, source), sets_flags=True)
    e.alu("fadd", result, Use(result.register), literal(1.0), cond=Condition.N)
    _correct_large(e, instruction, result, Use(ZERO))


@rule(ops.FSIGN)
def sign(e: QpuEmitter, instruction: Instruction) -> None:
    """1; less 2 below zero; 0 at zero."""
    source, result = e.read(instruction.operands[0]), e.define(instruction)
    e.alu("mov", result, literal(1.0))
    e.alu("fsub", None, source, Use(ZERO), sets_flags=True)
    e.alu("fsub", result, Use(result.register), literal(2.0), cond=Condition.N)
    e.alu("mov", result, Use(ZERO), cond=Condition.Z)
