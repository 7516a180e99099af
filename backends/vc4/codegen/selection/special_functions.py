"""Rules for reciprocals, roots, powers and logarithms, over the special function unit.

Reciprocals and roots have one step of Newton's method, as the open driver has it, powers and logarithms a polynomial;
what is `RELAXED` has the unit's own digits.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.vc4.codegen.machine_ops import ZERO
from glslc_multi.backends.vc4.codegen.selection.arithmetic import truncated
from glslc_multi.backends.vc4.codegen.selection.emitter import QpuEmitter, literal
from glslc_multi.backends.vc4.isa.instructions import Condition
from glslc_multi.backends.vc4.isa.registers import SFU
from glslc_multi.compiler.codegen.machine import Def, Literal32, Uniform, Use
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import RELAXED, Instruction, Value

RULES: RuleSet[QpuEmitter] = RuleSet()
RECIP, RECIP_ROOT, EXP2, LOG2 = SFU


def reciprocal(e: QpuEmitter, target: Def, source: Use) -> None:
    """r (2 - x r)"""
    source = _kept(e, source)
    guess = e.special(RECIP, source)
    correction = e.compute("fsub", literal(2.0), e.compute("fmul", source, guess))
    e.alu("fmul", target, guess, correction)


def _kept(e: QpuEmitter, use: Use) -> Use:
    """An operand that can be read again at no cost."""
    if not isinstance(use.register, Uniform):
        return use
    return e.compute("mov", use)


@RULES.rule("frcp(x)")
def reciprocal_rule(e: QpuEmitter, instruction: Instruction, x: Value) -> None:
    if instruction.flags & RELAXED:
        e.alu("mov", e.define(instruction), e.special(RECIP, e.read(x)))
    else:
        reciprocal(e, e.define(instruction), e.read(x))


@RULES.rule("frsqrt(x)", "fsqrt(x)")
def root(e: QpuEmitter, instruction: Instruction, x: Value) -> None:
    """r (1.5 - 0.5 x r r), and x times that; the result for 0 is right, since 0 times anything is 0."""
    source = e.read(x)
    if instruction.flags & RELAXED:
        guess = e.special(RECIP_ROOT, source)
        if instruction.op is ops.FSQRT:
            e.alu("fmul", e.define(instruction), source, guess)
        else:
            e.alu("mov", e.define(instruction), guess)
        return
    source = _kept(e, source)
    half = e.compute("fmul", source, literal(0.5))
    guess = e.special(RECIP_ROOT, source)
    correction = e.compute("fsub", literal(1.5), e.compute("fmul", e.compute("fmul", guess, guess), half))
    scale = e.compute("fmul", source, guess) if instruction.op is ops.FSQRT else guess
    e.alu("fmul", e.define(instruction), scale, correction)


#: 2^f - 1 over f, for f from -1 to 1, with an error of 6e-6 of the power.
_POWER = (0.69313463, 0.24016396, 0.05555452, 0.00982898, 0.00130662)
#: log2(1 + z) over z, for 1 + z between the roots of 1/2 and 2, with an error of 1.1e-5.
_LOGARITHM = (1.44270303, -0.72122352, 0.47967111, -0.36585504, 0.31982797, -0.21153586)
_LEAST_EXPONENT = -127.0
#: Shifts take the low five bits of their amount: 23 as a small immediate.
_ROOT_OF_HALF, _MANTISSA_SHIFT = 0x3F3504F3, 23 - 32
_LOGARITHM_OF_ZERO = -3.0e38


def _polynomial(e: QpuEmitter, coefficients: Sequence[float], x: Use) -> Use:
    """x times the polynomial; coefficients in pairs: with Horner's scheme the ALUs would wait for each other."""
    square = e.compute("fmul", x, x)
    pairs = [_pair(e, coefficients[first : first + 2], x) for first in range(0, len(coefficients), 2)]
    total = pairs.pop()
    while pairs:
        total = e.compute("fadd", e.compute("fmul", total, square), pairs.pop())
    return e.compute("fmul", total, x)


def _pair(e: QpuEmitter, coefficients: Sequence[float], x: Use) -> Use:
    """c + d x"""
    if len(coefficients) == 1:
        return literal(coefficients[0])
    return e.compute("fadd", e.compute("fmul", x, literal(coefficients[1])), literal(coefficients[0]))


@RULES.rule("fexp2(x)")
def power(e: QpuEmitter, instruction: Instruction, x: Value) -> None:
    """The unit's powers are exact for whole exponents only, else good for 13 bits: a polynomial has the rest."""
    source, result = e.read(x), e.define(instruction)
    if instruction.flags & RELAXED:
        e.alu("mov", result, e.special(EXP2, source))
        return
    source = e.compute("fmax", source, literal(_LEAST_EXPONENT))
    whole = truncated(e, source)
    part = _polynomial(e, _POWER, e.compute("fsub", source, whole))
    scale = e.special(EXP2, whole)
    e.alu("fmul", result, scale, e.compute("fadd", part, literal(1.0)))


@RULES.rule("flog2(x)")
def logarithm(e: QpuEmitter, instruction: Instruction, x: Value) -> None:
    """Exponent and mantissa, the mantissa between the roots of 1/2 and 2; then a polynomial."""
    source, result = e.read(x), e.define(instruction)
    if instruction.flags & RELAXED:
        e.alu("mov", result, e.special(LOG2, source))
        return
    source = _kept(e, source)
    above = e.compute("sub", source, Use(Literal32((_ROOT_OF_HALF,))))
    exponent = e.compute("asr", above, literal(_MANTISSA_SHIFT))
    shifted = e.compute("shl", exponent, literal(_MANTISSA_SHIFT))
    mantissa = e.compute("fsub", e.compute("sub", source, shifted), literal(1.0))
    part = _polynomial(e, _LOGARITHM, mantissa)
    whole = e.new()
    e.compute("itof", exponent, into=whole)
    e.alu("fsub", None, source, Use(ZERO), sets_flags=True)
    e.alu("mov", whole, literal(_LOGARITHM_OF_ZERO), cond=Condition.Z)
    e.alu("fadd", result, Use(whole.register), part)
