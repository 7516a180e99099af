"""Rules for arithmetic on single numbers: operations that one of the ALUs has, products of ints, rounding."""

from __future__ import annotations

from glslc_multi.backends.vc4.codegen.integers import exponent_of
from glslc_multi.backends.vc4.codegen.machine_ops import ZERO
from glslc_multi.backends.vc4.codegen.selection.emitter import QpuEmitter, literal
from glslc_multi.backends.vc4.isa.instructions import Condition
from glslc_multi.compiler.codegen.machine import Def, Use
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import RELAXED, Instruction, Value

RULES: RuleSet[QpuEmitter] = RuleSet(
    "fadd(x, y) -> fadd(x, y)",
    "fsub(x, y) -> fsub(x, y)",
    "fmul(x, y) -> fmul(x, y)",
    "fmin(x, y) -> fmin(x, y)",
    "fmax(x, y) -> fmax(x, y)",
    "fneg(x) -> fsub(0.0, x)",
    "fabs(x) -> fmaxabs(x, x)",
    "fmin(fabs(x), fabs(y)) -> fminabs(x, y)",
    "fmax(fabs(x), fabs(y)) -> fmaxabs(x, y)",
    "itof(x) -> itof(x)",
    "ftoi(x) -> ftoi(x)",
    "iadd(x, y) -> add(x, y)",
    "isub(x, y) -> sub(x, y)",
    "ineg(x) -> sub(0, x)",
    "xor(x, y) -> xor(x, y)",
    "not(x) -> not(x)",
    "iand(x, y) -> and(x, y)",
    "ior(x, y) -> or(x, y)",
    "ixor(x, y) -> xor(x, y)",
    "inot(x) -> not(x)",
    "ishl(x, y) -> shl(x, y)",
    "ishr(x, y) -> asr(x, y)",
    "ushr(x, y) -> shr(x, y)",
    "bitcast_ftoi(x) -> mov(x)",
    "bitcast_itof(x) -> mov(x)",
)

#: The multiplier takes so many bits, without sign.
_FACTOR_LIMIT = (1 << 24) - 1


def _bits(count: int) -> Use:
    """An amount to shift by, of which the low five bits count: a small immediate in any case."""
    return literal(count if count < 16 else count - 32)


def _is_by_power_of_two(quotient: Instruction) -> bool:
    return exponent_of(quotient.operands[1]) is not None


@RULES.rule("idiv(x, y)", where=_is_by_power_of_two)
def quotient(e: QpuEmitter, instruction: Instruction, x: Value, y: Value) -> None:
    """By a power of two: a shift.  What is below zero becomes greater before, so that it is rounded towards zero."""
    source, exponent = e.read(x), exponent_of(y)
    assert exponent
    if e.range_of(x, instruction).low < 0:
        sign = e.compute("asr", source, _bits(31))
        source = e.compute("add", source, e.compute("shr", sign, _bits(32 - exponent)))
    e.alu("asr", e.define(instruction), source, _bits(exponent))


@RULES.rule("imul(x, y)")
def product(e: QpuEmitter, instruction: Instruction, *factors: Value) -> None:
    """The low 32 bits: low * low + (low * high + high * low) << 24; only the first part where both factors are low, and
    a shift where one is a power of two."""
    for factor, other in (factors, factors[::-1]):
        exponent = exponent_of(other)
        if exponent is not None:
            e.alu("shl", e.define(instruction), e.read(factor), _bits(exponent))
            return
    x, y = map(e.read, factors)
    bounds = [e.range_of(factor, instruction) for factor in factors]
    if all(bound.low >= 0 and bound.high <= _FACTOR_LIMIT for bound in bounds):
        e.alu("mul24", e.define(instruction), x, y)
        return
    upper = e.compute("mul24", e.compute("shr", x, literal(-8)), y)
    lower = e.compute("mul24", x, e.compute("shr", y, literal(-8)))
    high = e.compute("shl", e.compute("add", upper, lower), literal(-8))
    e.alu("add", e.define(instruction), e.compute("mul24", x, y), high)


# --------------------------------------------------------------------------------------------- rounding
def truncated(e: QpuEmitter, source: Use) -> Use:
    """A float without its fraction, where it fits into an int."""
    return e.compute("itof", e.compute("ftoi", source))


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


@RULES.rule("ftrunc(x)")
def truncation(e: QpuEmitter, instruction: Instruction, x: Value) -> None:
    source, result = e.read(x), e.define(instruction)
    e.alu("itof", result, e.compute("ftoi", source))
    _correct_large(e, instruction, result, source)


@RULES.rule("ffloor(x)", "fceil(x)")
def rounding(e: QpuEmitter, instruction: Instruction, x: Value) -> None:
    """Truncated, and corrected by one where that rounded in the wrong direction."""
    source, result = e.read(x), e.define(instruction)
    e.alu("itof", result, e.compute("ftoi", source))
    whole = Use(result.register)
    is_floor = instruction.op is ops.FFLOOR
    pair = (source, whole) if is_floor else (whole, source)
    e.alu("fsub", None, *pair, sets_flags=True)
    e.alu("fsub" if is_floor else "fadd", result, whole, literal(1.0), cond=Condition.N)
    _correct_large(e, instruction, result, source)


@RULES.rule("ffract(x)")
def fraction(e: QpuEmitter, instruction: Instruction, x: Value) -> None:
    source, result = e.read(x), e.define(instruction)
    e.alu("fsub", result, source, truncated(e, source), sets_flags=True)
    e.alu("fadd", result, Use(result.register), literal(1.0), cond=Condition.N)
    _correct_large(e, instruction, result, Use(ZERO))


@RULES.rule("fsign(x)")
def sign(e: QpuEmitter, instruction: Instruction, x: Value) -> None:
    """1; less 2 below zero; 0 at zero."""
    source, result = e.read(x), e.define(instruction)
    e.alu("mov", result, literal(1.0))
    e.alu("fsub", None, source, Use(ZERO), sets_flags=True)
    e.alu("fsub", result, Use(result.register), literal(2.0), cond=Condition.N)
    e.alu("mov", result, Use(ZERO), cond=Condition.Z)
