"""Value ranges: for every component of every value an interval that holds it.

Ranges come from running the opcode table's semantics in *interval arithmetic*: an instance of the
arithmetic protocol whose numbers are intervals.  Both ends are rounded as float32 rounds; since
rounding is monotonic, a float32 result always lies inside.  Where the composition of a meaning
forgets that two operands are the same number (`min` as a select, `x - floor(x)`), a row of `SHARPER`
gives a tighter rule; squares and sums of squares (`x * x`, `dot(v, v)`, `length(v)`) are products of
`Squares`.  Values of loops are widened to infinity unless their trip count is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.trips import trip_counts
from glslc_multi.compiler.arithmetic.protocol import INT_MAX, INT_MIN, PYTHON
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import Type
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `low` to `high`, and NaN where `nan` says so.  Booleans are 0 and 1."""

    low: float
    high: float
    nan: bool = False

    def join(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high), self.nan or other.nan)

    @property
    def is_single(self) -> bool:
        return self.low == self.high and not self.nan


ANY_FLOAT = Interval(-math.inf, math.inf, nan=True)
ANY_INT = Interval(INT_MIN, INT_MAX)
ANY_BOOL = Interval(0, 1)
_ALL_ONES, _INFINITY_BITS = 2**32 - 1, 0x7F800000
FALSE, TRUE = Interval(0, 0), Interval(1, 1)
_OF_KIND = {"float": ANY_FLOAT, "int": ANY_INT, "bool": ANY_BOOL}


def unknown(type: Type) -> Interval:
    """The interval of all values of one component of `type`."""
    return _OF_KIND[type.kind]


def _corners(function: Callable[[float, float], float], x: Interval, y: Interval) -> Interval:
    """`function`, monotonic in each operand, over a box: its extremes are at corners."""
    results = [function(p, q) for p in (x.low, x.high) for q in (y.low, y.high)]
    numbers = [r for r in results if not math.isnan(r)]
    if len(numbers) < len(results):
        return ANY_FLOAT
    return Interval(min(numbers), max(numbers), x.nan or y.nan)


def _contains_zero(x: Interval) -> bool:
    return x.low <= 0 <= x.high


def _infinite(x: Interval) -> bool:
    return math.isinf(x.low) or math.isinf(x.high)


class IntervalArithmetic:
    """The arithmetic protocol over intervals."""

    __slots__ = ()

    def bconst(self, value: bool) -> Interval:
        return TRUE if value else FALSE

    def iconst(self, value: int) -> Interval:
        return Interval(value, value)

    def fconst(self, value: float) -> Interval:
        rounded = PYTHON.fconst(value)
        return ANY_FLOAT if math.isnan(rounded) else Interval(rounded, rounded)

    # Of most floats nothing is known, and then nothing is of sums and products with them.
    def fadd(self, x: Interval, y: Interval) -> Interval:
        return ANY_FLOAT if x is ANY_FLOAT or y is ANY_FLOAT else _corners(PYTHON.fadd, x, y)

    def fsub(self, x: Interval, y: Interval) -> Interval:
        return ANY_FLOAT if x is ANY_FLOAT or y is ANY_FLOAT else _corners(PYTHON.fsub, x, y)

    def fmul(self, x: Interval, y: Interval) -> Interval:
        if x is ANY_FLOAT or y is ANY_FLOAT:
            return ANY_FLOAT
        if (_contains_zero(x) and _infinite(y)) or (_contains_zero(y) and _infinite(x)):
            return ANY_FLOAT
        return _corners(PYTHON.fmul, x, y)

    def fdiv(self, x: Interval, y: Interval) -> Interval:
        if _contains_zero(y) or (_infinite(x) and _infinite(y)):
            return ANY_FLOAT
        return _corners(PYTHON.fdiv, x, y)

    def fneg(self, x: Interval) -> Interval:
        return Interval(-x.high, -x.low, x.nan)

    def fabs(self, x: Interval) -> Interval:
        low = 0.0 if _contains_zero(x) else min(abs(x.low), abs(x.high))
        return Interval(low, max(abs(x.low), abs(x.high)), x.nan)

    def ffloor(self, x: Interval) -> Interval:
        return Interval(PYTHON.ffloor(x.low), PYTHON.ffloor(x.high), x.nan)

    def fsqrt(self, x: Interval) -> Interval:
        if x.high < 0:
            return ANY_FLOAT
        return Interval(PYTHON.fsqrt(max(x.low, 0.0)), PYTHON.fsqrt(x.high), x.nan or x.low < 0)

    def elementary(self, name: str, *arguments: Interval) -> Interval:
        return _ELEMENTARY[name](name, *arguments)

    def flt(self, x: Interval, y: Interval) -> Interval:
        return _decide(x.high < y.low, x.low >= y.high, x.nan or y.nan)

    def fle(self, x: Interval, y: Interval) -> Interval:
        return _decide(x.high <= y.low, x.low > y.high, x.nan or y.nan)

    def feq(self, x: Interval, y: Interval) -> Interval:
        return _decide(x.is_single and y.is_single and x.low == y.low, x.high < y.low or y.high < x.low, x.nan or y.nan)

    def iadd(self, x: Interval, y: Interval) -> Interval:
        return _exact(x.low + y.low, x.high + y.high)

    def isub(self, x: Interval, y: Interval) -> Interval:
        return _exact(x.low - y.high, x.high - y.low)

    def imul(self, x: Interval, y: Interval) -> Interval:
        products = [p * q for p in (x.low, x.high) for q in (y.low, y.high)]
        return _exact(min(products), max(products))

    def idiv(self, x: Interval, y: Interval) -> Interval:
        # |x / y| <= |x|, and 0 stands for a division by zero.
        reach = max(abs(x.low), abs(x.high))
        if _contains_zero(y):
            return _exact(-reach if x.low < 0 or y.low < 0 else 0, reach)
        results = [int(p / q) if q else 0 for p in (x.low, x.high) for q in (y.low, y.high)]
        return _exact(min([*results, 0] if _contains_zero(x) else results), max(results))

    def ilt(self, x: Interval, y: Interval) -> Interval:
        return self.flt(x, y)

    def ieq(self, x: Interval, y: Interval) -> Interval:
        return self.feq(x, y)

    def udiv(self, x: Interval, y: Interval) -> Interval:
        if x.low >= 0 and y.low >= 0:
            return self.idiv(x, y)
        return Interval(0, _ALL_ONES // y.low) if y.low > 1 else ANY_INT

    def ult(self, x: Interval, y: Interval) -> Interval:
        # Without signs, negative numbers are the large ones.
        signs = [_sign(Interval(z.low + 0.5, z.high + 0.5)) for z in (x, y)]
        if not all(sign.is_single for sign in signs):
            return ANY_BOOL
        return self.ilt(x, y) if signs[0] == signs[1] else self.ilt(y, x)

    def bits_and(self, x: Interval, y: Interval) -> Interval:
        if x.is_single and y.is_single:
            return _whole(int(x.low) & int(y.low))
        bounds = [z.high for z in (x, y) if z.low >= 0]
        return Interval(0, min(bounds)) if bounds else Interval(_as_wide(x, y).low, max(x.high, y.high))

    def bits_or(self, x: Interval, y: Interval) -> Interval:
        if x.is_single and y.is_single:
            return _whole(int(x.low) | int(y.low))
        bounds = [z.low for z in (x, y) if z.high < 0]
        if bounds:
            return Interval(max(bounds), -1)
        return Interval(max(x.low, y.low), _ones(x, y)) if x.low >= 0 and y.low >= 0 else _as_wide(x, y)

    def bits_xor(self, x: Interval, y: Interval) -> Interval:
        if x.is_single and y.is_single:
            return _whole(int(x.low) ^ int(y.low))
        return Interval(0, _ones(x, y)) if x.low >= 0 and y.low >= 0 else _as_wide(x, y)

    def bits_not(self, x: Interval) -> Interval:
        return Interval(-1 - x.high, -1 - x.low)

    # Counts of shifts are from 0 to 31.
    def shl(self, x: Interval, count: Interval) -> Interval:
        return self.imul(x, Interval(1 << int(count.low), 1 << int(count.high)))

    def shr(self, x: Interval, count: Interval) -> Interval:
        if x.low >= 0:
            return self.asr(x, count)
        return Interval(0, _ALL_ONES >> int(count.low)) if count.low > 0 else ANY_INT

    def asr(self, x: Interval, count: Interval) -> Interval:
        results = [int(p) >> int(q) for p in (x.low, x.high) for q in (count.low, count.high)]
        return Interval(min(results), max(results))

    def band(self, x: Interval, y: Interval) -> Interval:
        return Interval(min(x.low, y.low), min(x.high, y.high))

    def bor(self, x: Interval, y: Interval) -> Interval:
        return Interval(max(x.low, y.low), max(x.high, y.high))

    def bxor(self, x: Interval, y: Interval) -> Interval:
        return _decide(x.is_single and y.is_single and x != y, x.is_single and x == y, doubt=False)

    def bnot(self, x: Interval) -> Interval:
        return Interval(1 - x.high, 1 - x.low)

    def itof(self, x: Interval) -> Interval:
        return Interval(PYTHON.itof(int(x.low)), PYTHON.itof(int(x.high)))

    def ftoi(self, x: Interval) -> Interval:
        whole = Interval(PYTHON.ftoi(x.low), PYTHON.ftoi(x.high))
        return whole.join(Interval(0, 0)) if x.nan else whole

    def bits(self, x: Interval) -> Interval:
        # In the order of positive floats; of zeros, only one is.
        return ANY_INT if x.nan or x.low <= 0 else Interval(PYTHON.bits(x.low), PYTHON.bits(x.high))

    def number(self, x: Interval) -> Interval:
        if x.low < 0 or x.high > _INFINITY_BITS:
            return ANY_FLOAT
        return Interval(PYTHON.number(int(x.low)), PYTHON.number(int(x.high)))

    def select(self, condition: Interval, if_true: Interval, if_false: Interval) -> Interval:
        if condition.is_single:
            return if_true if condition.low else if_false
        return if_true.join(if_false)


INTERVALS = IntervalArithmetic()


class Squares(IntervalArithmetic):
    """The same where both operands of each product are one number."""

    __slots__ = ()

    def fmul(self, x: Interval, y: Interval) -> Interval:
        ends = PYTHON.fmul(x.low, x.low), PYTHON.fmul(x.high, x.high)
        return Interval(0.0 if _contains_zero(x) else min(ends), max(ends), x.nan)

    def imul(self, x: Interval, y: Interval) -> Interval:
        ends = x.low * x.low, x.high * x.high
        return _exact(0 if _contains_zero(x) else min(ends), max(ends))


SQUARES = Squares()


def _decide(surely: bool, surely_not: bool, doubt: bool) -> Interval:
    """The truth of a comparison; `doubt` (a NaN may take part) makes it possibly false."""
    if surely_not:
        return FALSE
    return TRUE if surely and not doubt else ANY_BOOL


def _ones(x: Interval, y: Interval) -> int:
    """The largest number of as many bits as the larger of two that are not negative."""
    return (1 << max(int(x.high).bit_length(), int(y.high).bit_length())) - 1


def _as_wide(x: Interval, y: Interval) -> Interval:
    """All numbers of as many bits and a sign as two have."""
    ends = (int(end) for end in (x.low, x.high, y.low, y.high))
    ones = (1 << max((end if end >= 0 else ~end).bit_length() for end in ends)) - 1
    return Interval(-1 - ones, ones)


def _whole(value: int) -> Interval:
    return Interval(value, value)


def _exact(low: float, high: float) -> Interval:
    """An int interval; one that may wrap is any int."""
    return Interval(low, high) if low >= INT_MIN and high <= INT_MAX else ANY_INT


# ----------------------------------------------------------------------------- elementary functions
def _rising(name: str, x: Interval) -> Interval:
    return Interval(PYTHON.elementary(name, x.low), PYTHON.elementary(name, x.high), x.nan)


def _logarithm(name: str, x: Interval) -> Interval:
    if x.high < 0:
        return ANY_FLOAT
    return Interval(PYTHON.elementary(name, max(x.low, 0.0)), PYTHON.elementary(name, x.high), x.nan or x.low < 0)


def _within(low: float, high: float, domain: float = math.inf) -> Callable[..., Interval]:
    """A function with values between `low` and `high`, NaN for infinite arguments or |x| > domain."""
    bounds = Interval(PYTHON.fconst(low), PYTHON.fconst(high))

    def rule(_name: str, *arguments: Interval) -> Interval:
        nan = any(x.nan or (max(abs(x.low), abs(x.high)) > domain) or _infinite(x) for x in arguments)
        return Interval(bounds.low, bounds.high, nan)

    return rule


def _power(name: str, x: Interval, y: Interval) -> Interval:
    if x.low < 0:
        return Interval(0.0, math.inf, nan=True)
    return _corners(lambda p, q: PYTHON.elementary(name, p, q), x, y)


_ELEMENTARY: dict[str, Callable[..., Interval]] = {
    "exp": _rising,
    "exp2": _rising,
    "log": _logarithm,
    "log2": _logarithm,
    "pow": _power,
    "sin": _within(-1, 1),
    "cos": _within(-1, 1),
    "tan": lambda _name, _x: ANY_FLOAT,
    "asin": _within(-math.pi / 2, math.pi / 2, domain=1),
    "acos": _within(0, math.pi, domain=1),
    "atan": _rising,
    "atan2": _within(-math.pi, math.pi),
}


# -------------------------------------------------------------------------------------- sharper rules
def _minimum(x: Interval, y: Interval) -> Interval:
    """fmin: y < x ? y : x, so that a NaN in y yields x, and one in x yields x."""
    return Interval(min(x.low, y.low), x.high if y.nan else min(x.high, y.high), x.nan)


def _maximum(x: Interval, y: Interval) -> Interval:
    return Interval(x.low if y.nan else max(x.low, y.low), max(x.high, y.high), x.nan)


def _clamp(x: Interval, low: Interval, high: Interval) -> Interval:
    return _minimum(_maximum(x, low), high)


def _sign(x: Interval) -> Interval:
    low, high = ((end > 0) - (end < 0) for end in (x.low, x.high))
    sign = Interval(float(low), float(high))
    return sign.join(Interval(0.0, 0.0)) if x.nan else sign


def _fraction(x: Interval) -> Interval:
    # x - floor(x) rounds up to 1 for tiny negative x.
    return Interval(0.0, 1.0, x.nan or _infinite(x))


def _remainder(x: Interval, y: Interval) -> Interval:
    """It has the sign of x, and is below y and not above x; 0 where y is 0."""
    reach = max(abs(y.low), abs(y.high), 1) - 1
    return Interval(max(-reach, min(x.low, 0)), min(reach, max(x.high, 0)))


def _unsigned_remainder(x: Interval, y: Interval) -> Interval:
    if x.low >= 0:
        return _remainder(x, y) if y.low >= 0 else Interval(0, x.high)
    return Interval(0, y.high - 1) if y.low > 0 else ANY_INT


def _round_even(x: Interval) -> Interval:
    low, high = (ops.evaluate(ops.FROUNDEVEN, PYTHON, None, [[end]])[0] for end in (x.low, x.high))
    return Interval(low, high, x.nan)


#: Opcode -> a rule on the components' intervals that is tighter than its composed meaning.
SHARPER: dict[Opcode, Callable[..., Interval]] = {
    ops.FMIN: _minimum,
    ops.FMAX: _maximum,
    ops.FCLAMP: _clamp,
    ops.FSATURATE: lambda x: _clamp(x, Interval(0.0, 0.0), Interval(1.0, 1.0)),
    ops.FSMOOTHSTEP: lambda low, high, x: Interval(
        0.0, 1.0, x.nan or low.nan or high.nan or not (low.high < high.low) or _infinite(x)
    ),
    ops.FSIGN: _sign,
    ops.FFRACT: _fraction,
    ops.FROUNDEVEN: _round_even,
    # Whatever is promised of the vector: a direction may have any sign.  By rounding it may be a little longer than 1.
    ops.NORMALIZE: lambda _x: Interval(-1 - 2**-20, 1 + 2**-20, nan=True),
    ops.IREM: _remainder,
    ops.UREM: _unsigned_remainder,
}


#: Operations with a product of their first two operands, or with sums of such products of components.
_PRODUCTS = frozenset({ops.FMUL, ops.FMAD, ops.DOT, ops.IMUL})


def intervals_of(instruction: Instruction, operands: Sequence[Sequence[Interval]]) -> list[Interval]:
    """Those of the components of an operation's result, by those of its operands."""
    op = instruction.op
    sharper = SHARPER.get(op)
    if sharper is not None:
        return [sharper(*row) for row in zip(*operands, strict=True)]
    is_square = op is ops.LENGTH or (op in _PRODUCTS and instruction.operands[0] is instruction.operands[1])
    rows = list(map(list, operands))
    intervals = ops.evaluate(op, SQUARES if is_square else INTERVALS, instruction.attribute, rows)
    return [_sane(part, unknown(instruction.type)) for part in intervals]


class ValueRanges:
    """Intervals of every component of every value."""

    def __init__(self, function: Function, flow: ControlFlow, assumptions: Mapping[Variable, Interval]) -> None:
        self._assumptions = assumptions
        self._ranges: list[tuple[Interval, ...] | None] = [None] * function.id_bound
        self._flow = flow

    def of(self, value: Value) -> tuple[Interval, ...]:
        """One interval a component."""
        if isinstance(value, Constant):
            return tuple(unknown(value.type) if c is None else _single(c, value.type) for c in value.components)
        interval = self._ranges[value.id] if isinstance(value, Instruction) else None
        return interval if interval is not None else (unknown(value.type),) * value.type.width

    def knows(self, value: Value) -> bool:
        """Whether the value was there when the ranges were computed."""
        return isinstance(value, Constant) or (isinstance(value, Instruction) and value.id < len(self._ranges))

    def solve(self, phi_ranges: Mapping[Instruction, tuple[float, float]]) -> None:
        """One pass in reverse postorder: a phi with an operand not yet known (around a back edge)
        takes its counted range, or any value."""
        for phi, (low, high) in phi_ranges.items():
            self._ranges[phi.id] = (Interval(low, high),)
        for block in self._flow.order:
            for instruction in block:
                if instruction.type.width and self._ranges[instruction.id] is None:
                    self._ranges[instruction.id] = self._transfer(instruction)

    def _transfer(self, instruction: Instruction) -> tuple[Interval, ...]:
        op, width = instruction.op, instruction.type.width
        top = (unknown(instruction.type),) * width
        if op is ops.PHI:
            return self._join(instruction, top)
        if op is ops.LOAD or op is ops.TEXTURE:
            assumed = self._assumptions.get(instruction.address.variable)
            return top if assumed is None else (assumed,) * width
        if not op.has_semantics:
            return top
        return tuple(intervals_of(instruction, [self.of(operand) for operand in instruction.operands]))

    def _join(self, phi: Instruction, top: tuple[Interval, ...]) -> tuple[Interval, ...]:
        result: tuple[Interval, ...] | None = None
        for value, block in phi.incoming():
            if block not in self._flow.index:
                continue
            if isinstance(value, Instruction) and self._ranges[value.id] is None:
                return top
            part = self.of(value)
            result = part if result is None else tuple(map(Interval.join, result, part))
        return result if result is not None else top


def _single(number: float, type: Type) -> Interval:
    if type.kind == "float" and math.isnan(number):
        return ANY_FLOAT
    return Interval(number, number)


def _sane(interval: Interval, top: Interval) -> Interval:
    """An interval whose ends are NaN (infinity minus infinity at an end) is any value."""
    return top if math.isnan(interval.low) or math.isnan(interval.high) else interval


def value_ranges(
    function: Function, manager: AnalysisManager, assumptions: Mapping[Variable, Interval] | None = None
) -> ValueRanges:
    """Analysis: the ranges of all values; `assumptions` bounds what loads and textures yield."""
    counted: dict[Instruction, tuple[float, float]] = {}
    for count in manager.get(trip_counts).values():
        counted.update(count.phi_ranges)  # type: ignore[arg-type]
    ranges = ValueRanges(function, manager.get(control_flow), assumptions or {})
    ranges.solve(counted)
    return ranges
