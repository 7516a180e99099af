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


#: 2^f - 1 over f, for f from -1 to 1, with an error of 6e-6 of the power; from 0 to 1, and from -1 to 0, of 3e-6.
_POWER = (0.69313463, 0.24016396, 0.05555452, 0.00982898, 0.00130662)
_POWER_ABOVE = (0.69304484, 0.2412802, 0.05224247, 0.01342668)
_POWER_BELOW = (0.69306357, 0.23945674, 0.05322358, 0.00683189)
#: log2(1 + z) over z, for 1 + z between the roots of 1/2 and 2, with an error of 1.1e-5.
_LOGARITHM = (1.44270303, -0.72122352, 0.47967111, -0.36585504, 0.31982797, -0.21153586)
#: Powers of less are 0; a number above the other one has a whole part that an int holds.
_LEAST_EXPONENT, _LEAST_WHOLE = -127.0, -(2.0**24)
#: Shifts take the low five bits of their amount: 23 as a small immediate.
_ROOT_OF_HALF, _MANTISSA_SHIFT = 0x3F3504F3, 23 - 32
_LOGARITHM_OF_ZERO = -3.0e38


def _polynomial(e: QpuEmitter, coefficients: Sequence[float], x: Use) -> Use:
    """x times the polynomial, by Horner's scheme."""
    *others, last = coefficients
    total = e.compute("fmul", x, literal(last))
    for coefficient in reversed(others):
        total = e.compute("fmul", e.compute("fadd", total, literal(coefficient)), x)
    return total


@RULES.rule("fexp2(x)")
def power(e: QpuEmitter, instruction: Instruction, x: Value) -> None:
    """The unit's powers are exact for whole exponents only, else good for 13 bits: a polynomial has the rest."""
    source, result = e.read(x), e.define(instruction)
    if instruction.flags & RELAXED:
        e.alu("mov", result, e.special(EXP2, source))
        return
    bounds = e.range_of(x, instruction)
    if bounds.low < _LEAST_WHOLE and not _is_power_of_bounded(e, x):
        source = e.compute("fmax", source, literal(_LEAST_EXPONENT))
    whole = truncated(e, source)
    coefficients = _POWER_ABOVE if bounds.low >= 0.0 else _POWER_BELOW if bounds.high <= 0.0 else _POWER
    part = _polynomial(e, coefficients, e.compute("fsub", source, whole))
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
    if e.range_of(x, instruction).low <= 0.0 and not _ends_in_powers(e, instruction):
        e.alu("fsub", None, source, Use(ZERO), sets_flags=True)
        e.alu("mov", whole, literal(_LOGARITHM_OF_ZERO), cond=Condition.Z)
    e.alu("fadd", result, Use(whole.register), part)


def _ends_in_powers(e: QpuEmitter, logarithm: Instruction) -> bool:
    """Tell whether it only stands in powers with exponents of 1 and more: of 0 these are 0 as of 2^-127, which it is
    without a choice."""
    return all(
        product.op is ops.FMUL
        and all(factor is logarithm or e.range_of(factor, product).low >= 1.0 for factor in product.operands)
        and all(power.op is ops.FEXP2 for power in product.users)
        for product in logarithm.users
    )


def _is_power_of_bounded(e: QpuEmitter, exponent: Value) -> bool:
    """Tell whether an exponent is a multiple of a logarithm that is never less than -127."""
    if not isinstance(exponent, Instruction) or exponent.op is not ops.FMUL:
        return False
    for value, factor in (exponent.operands, exponent.operands[::-1]):
        if isinstance(value, Instruction) and value.op is ops.FLOG2 and not value.flags & RELAXED:
            return _ends_in_powers(e, value) and e.range_of(factor, exponent).high <= _LEAST_WHOLE / _LEAST_EXPONENT
    return False
