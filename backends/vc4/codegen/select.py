"""Selection rules: operations of the IR on single numbers to operations of the two ALUs.

Comparisons become flags right where a choice, a discard or a branch asks for them, else words of 0 or ~0.  Reciprocals
and roots are the special function unit's, with one step of Newton's method, as the open driver has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from backends.vc4.codegen.emitter import QpuEmitter, literal
from backends.vc4.codegen.machine_ops import BRANCH, END, JUMP, ZERO
from backends.vc4.codegen.outputs import write_outputs
from backends.vc4.isa.instructions import Condition, Signal
from compiler.codegen.machine import Def, Literal32, Uniform, Use
from compiler.codegen.select import Emitter, RuleSet
from compiler.ir import ops
from compiler.ir.module import RELAXED, Instruction, Value
from compiler.ir.ops import Opcode

Emit = Callable[[Emitter], None]
RULES = RuleSet()
RECIP, RECIP_ROOT, EXP2, LOG2 = 52, 53, 54, 55


def qpu(emitter: Emitter) -> QpuEmitter:
    assert isinstance(emitter, QpuEmitter)
    return emitter


def _number(value: float | int) -> Use:
    return literal(value)


# ------------------------------------------------------------------------------------- plain operations
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


@RULES.rule(*_PLAIN)
def plain(instruction: Instruction) -> Emit:
    """One instruction for one operation."""

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        e.alu(_PLAIN[instruction.op], e.define(instruction), *(e.read(operand) for operand in instruction.operands))

    return emit


@RULES.rule(ops.FNEG, ops.INEG)
def negation(instruction: Instruction) -> Emit:
    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        name = "fsub" if instruction.op is ops.FNEG else "sub"
        e.alu(name, e.define(instruction), Use(ZERO), e.read(instruction.operands[0]))

    return emit


@RULES.rule(ops.FABS)
def magnitude(instruction: Instruction) -> Emit:
    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        source = e.read(instruction.operands[0])
        e.alu("fmaxabs", e.define(instruction), source, source)

    return emit


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


@RULES.rule(ops.IMUL)
def product(instruction: Instruction) -> Emit:
    """The low 32 bits: low * low + (low * high + high * low) << 24; the first part alone where all of both is low."""

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        x, y = (e.read(operand) for operand in instruction.operands)
        bounds = [e.range_of(operand, instruction) for operand in instruction.operands]
        if all(bound.low >= 0 and bound.high <= _FACTOR_LIMIT for bound in bounds):
            e.alu("mul24", e.define(instruction), x, y)
            return
        upper = e.value("mul24", e.value("shr", x, _number(-8)), y)
        lower = e.value("mul24", x, e.value("shr", y, _number(-8)))
        high = e.value("shl", e.value("add", upper, lower), _number(-8))
        e.alu("add", e.define(instruction), e.value("mul24", x, y), high)

    return emit


# --------------------------------------------------------------------------------------------- rounding
def _truncated(e: QpuEmitter, source: Use) -> Use:
    return e.value("itof", e.value("ftoi", source))


#: Floats from here on are whole, and some are no ints.
_LARGE = 2.0**30


def _correct_large(e: QpuEmitter, instruction: Instruction, result: Def, value: Use) -> None:
    """Where a number may be too large for an int, give the result that is right for it."""
    operand = instruction.operands[0]
    bounds = e.range_of(operand, instruction)
    if instruction.flags & RELAXED or (bounds.low >= -_LARGE and bounds.high <= _LARGE):
        return
    e.alu("fmaxabs", None, e.read(operand), literal(_LARGE), sets_flags=True)
    e.alu("mov", result, value, cond=Condition.C)


@RULES.rule(ops.FTRUNC)
def truncation(instruction: Instruction) -> Emit:
    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        source, result = e.read(instruction.operands[0]), e.define(instruction)
        e.alu("itof", result, e.value("ftoi", source))
        _correct_large(e, instruction, result, source)

    return emit


@RULES.rule(ops.FFLOOR, ops.FCEIL)
def rounding(instruction: Instruction) -> Emit:
    """Truncated, and one off where that went the wrong way."""

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        source, result = e.read(instruction.operands[0]), e.define(instruction)
        e.alu("itof", result, e.value("ftoi", source))
        whole = Use(result.register)
        is_floor = instruction.op is ops.FFLOOR
        pair = (source, whole) if is_floor else (whole, source)
        e.alu("fsub", None, *pair, sets_flags=True)
        e.alu("fsub" if is_floor else "fadd", result, whole, _number(1.0), cond=Condition.N)
        _correct_large(e, instruction, result, source)

    return emit


@RULES.rule(ops.FFRACT)
def fraction(instruction: Instruction) -> Emit:
    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        source, result = e.read(instruction.operands[0]), e.define(instruction)
        e.alu("fsub", result, source, _truncated(e, source), sets_flags=True)
        e.alu("fadd", result, Use(result.register), _number(1.0), cond=Condition.N)
        _correct_large(e, instruction, result, Use(ZERO))

    return emit


@RULES.rule(ops.FSIGN)
def sign(instruction: Instruction) -> Emit:
    """1; less 2 below zero; 0 at zero."""

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        source, result = e.read(instruction.operands[0]), e.define(instruction)
        e.alu("mov", result, _number(1.0))
        e.alu("fsub", None, source, Use(ZERO), sets_flags=True)
        e.alu("fsub", result, Use(result.register), _number(2.0), cond=Condition.N)
        e.alu("mov", result, Use(ZERO), cond=Condition.Z)

    return emit


# ------------------------------------------------------------------------------------- special functions
def reciprocal(e: QpuEmitter, target: Def, source: Use) -> None:
    """r (2 - x r)"""
    source = e.value("mov", source) if not _is_kept(source) else source
    guess = e.special(RECIP, source)
    rest = e.value("fsub", _number(2.0), e.value("fmul", source, guess))
    e.alu("fmul", target, guess, rest)


def _is_kept(use: Use) -> bool:
    """Whether an operand can be read again at no cost."""
    return not isinstance(use.register, Uniform)


@RULES.rule(ops.FRCP)
def reciprocal_rule(instruction: Instruction) -> Emit:
    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        reciprocal(e, e.define(instruction), e.read(instruction.operands[0]))

    return emit


@RULES.rule(ops.FRSQRT, ops.FSQRT)
def root(instruction: Instruction) -> Emit:
    """r (1.5 - 0.5 x r r), and x times that; what comes of 0 is right, since 0 times anything is 0."""

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        source = e.read(instruction.operands[0])
        source = e.value("mov", source) if not _is_kept(source) else source
        half = e.value("fmul", source, _number(0.5))
        guess = e.special(RECIP_ROOT, source)
        rest = e.value("fsub", _number(1.5), e.value("fmul", e.value("fmul", guess, guess), half))
        scale = e.value("fmul", source, guess) if instruction.op is ops.FSQRT else guess
        e.alu("fmul", e.define(instruction), scale, rest)

    return emit


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
    square = e.value("fmul", x, x)
    pairs = [_pair(e, coefficients[first : first + 2], x) for first in range(0, len(coefficients), 2)]
    total = pairs.pop()
    while pairs:
        total = e.value("fadd", e.value("fmul", total, square), pairs.pop())
    return e.value("fmul", total, x)


def _pair(e: QpuEmitter, coefficients: Sequence[float], x: Use) -> Use:
    """c + d x"""
    if len(coefficients) == 1:
        return literal(coefficients[0])
    return e.value("fadd", e.value("fmul", x, literal(coefficients[1])), literal(coefficients[0]))


@RULES.rule(ops.FEXP2)
def power(instruction: Instruction) -> Emit:
    """The unit's powers are exact for whole exponents only, else good for 13 bits: a polynomial does the rest."""

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        source, result = e.read(instruction.operands[0]), e.define(instruction)
        if instruction.flags & RELAXED:
            e.alu("mov", result, e.special(EXP2, source))
            return
        source = e.value("fmax", source, literal(_LEAST_EXPONENT))
        whole = _truncated(e, source)
        part = _polynomial(e, _POWER, e.value("fsub", source, whole))
        scale = e.special(EXP2, whole)
        e.alu("fmul", result, scale, e.value("fadd", part, literal(1.0)))

    return emit


@RULES.rule(ops.FLOG2)
def logarithm(instruction: Instruction) -> Emit:
    """Exponent and mantissa, the mantissa between the roots of 1/2 and 2; then a polynomial."""

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        source, result = e.read(instruction.operands[0]), e.define(instruction)
        if instruction.flags & RELAXED:
            e.alu("mov", result, e.special(LOG2, source))
            return
        source = e.value("mov", source) if not _is_kept(source) else source
        above = e.value("sub", source, Use(Literal32((_ROOT_OF_HALF,))))
        exponent = e.value("asr", above, literal(_MANTISSA_SHIFT))
        shifted = e.value("shl", exponent, literal(_MANTISSA_SHIFT))
        mantissa = e.value("fsub", e.value("sub", source, shifted), literal(1.0))
        part = _polynomial(e, _LOGARITHM, mantissa)
        whole = e.new()
        e.alu("itof", Def(whole), exponent)
        e.alu("fsub", None, source, Use(ZERO), sets_flags=True)
        e.alu("mov", Def(whole), literal(_LOGARITHM_OF_ZERO), cond=Condition.Z)
        e.alu("fadd", result, Use(whole), part)

    return emit


# ------------------------------------------------------------------------------------------- conditions
#: Comparison -> operation, whether its operands are exchanged, and the flag that says that it holds.
_TESTS: Mapping[Opcode, tuple[str, bool, Condition]] = {
    ops.FLT: ("fmax", True, Condition.C),
    ops.FLE: ("fmax", False, Condition.CC),
    ops.FEQ: ("fsub", False, Condition.Z),
    ops.FNE: ("fsub", False, Condition.NZ),
    ops.ILT: ("max", True, Condition.C),
    ops.ILE: ("max", False, Condition.CC),
    ops.IEQ: ("sub", False, Condition.Z),
    ops.INE: ("sub", False, Condition.NZ),
}


def test(e: QpuEmitter, condition: Value) -> Condition:
    """Set the flags by a condition; under which condition it holds."""
    if isinstance(condition, Instruction):
        if condition.op is ops.NOT:
            return Condition(test(e, condition.operands[0]) ^ 1)
        if condition.op in _TESTS:
            name, is_swapped, holds = _TESTS[condition.op]
            x, y = (e.read(operand) for operand in condition.operands)
            e.alu(name, None, *((y, x) if is_swapped else (x, y)), sets_flags=True)
            return holds
        if condition.op is ops.FTOB:
            e.alu("fsub", None, e.read(condition.operands[0]), Use(ZERO), sets_flags=True)
            return Condition.NZ
        if condition.op is ops.ITOB:
            e.alu("mov", None, e.read(condition.operands[0]), sets_flags=True)
            return Condition.NZ
    e.alu("mov", None, e.read(condition), sets_flags=True)
    return Condition.NZ


@RULES.rule(*_TESTS, ops.FTOB, ops.ITOB)
def comparison(instruction: Instruction) -> Emit:
    """A condition as a word: ~0 where it holds, else 0."""

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        result = e.define(instruction)
        e.alu("mov", result, Use(ZERO))
        holds = test(e, instruction)
        e.alu("mov", result, _number(-1), cond=holds)

    return emit


@RULES.rule(ops.BTOF, ops.BTOI)
def number_of_condition(instruction: Instruction) -> Emit:
    one = _number(1.0 if instruction.op is ops.BTOF else 1)

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        condition, result = instruction.operands[0], e.define(instruction)
        if not isinstance(condition, Instruction) or condition.op not in _TESTS or e.is_wanted(condition):
            e.alu("and", result, e.read(condition), one)
            return
        e.alu("mov", result, Use(ZERO))
        holds = test(e, condition)
        e.alu("mov", result, one, cond=holds)

    return emit


@RULES.rule(ops.SELECT)
def choice(instruction: Instruction) -> Emit:
    """One of the values, then the other one over it where the condition says so."""
    condition, if_true, if_false = instruction.operands

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        result = e.define(instruction)
        first, second, is_swapped = if_false, if_true, False
        if _goes_round(instruction, if_true) or (
            _prefers_first(if_true, if_false) and not _goes_round(instruction, if_false)
        ):
            first, second, is_swapped = if_true, if_false, True
        e.alu("mov", result, e.read(first))
        holds = test(e, condition)
        e.alu("mov", result, e.read(second), cond=Condition(holds ^ 1) if is_swapped else holds)

    return emit


def _goes_round(choice: Instruction, value: Value) -> bool:
    """Whether a choice gives a value of a loop to the next round, as what may stay: it needs no register of its own."""
    return isinstance(value, Instruction) and value.op is ops.PHI and choice in value.operands


def _prefers_first(one: Value, other: Value) -> bool:
    """Whether `one` is likelier than `other` to be in the register of the choice."""
    return _users(one) < _users(other)


def _users(value: Value) -> int:
    """How many read a value; very many of what is in no register of its own."""
    if not isinstance(value, Instruction) or value.op in (ops.LOAD, ops.SWIZZLE):
        return 1 << 20
    return sum(value.users.values())


# ---------------------------------------------------------------------------------------------- control flow
@RULES.rule(ops.BR)
def jump(instruction: Instruction) -> Emit:
    return lambda e: _done(e.emit(JUMP))


@RULES.rule(ops.CONDBR)
def branch(instruction: Instruction) -> Emit:
    """To the first target where the condition holds in any lane."""

    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        holds = test(e, instruction.operands[0])
        e.emit(BRANCH, when=holds)

    return emit


@RULES.rule(ops.RET)
def end(instruction: Instruction) -> Emit:
    def emit(emitter: Emitter) -> None:
        e = qpu(emitter)
        write_outputs(e, instruction)
        e.emit(END, signal=Signal.THREND)

    return emit


@RULES.rule(ops.STORE, ops.KILL)
def left_to_the_end(instruction: Instruction) -> Emit:
    """What happens at the end is written at the end, see `outputs.py`."""
    return lambda e: None


def _done(_: object) -> None:
    """Emitting answers with nothing."""
