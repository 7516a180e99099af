"""By how much a channel of a pixel changes with a value of the shader: first derivatives, bounded by powers.

An error of `x` by a small part e of it changes the result by |x dr/dx| e, one by an absolute e by |dr/dx| e.  Gamma
corrections have no finite bound of either kind near black (x ** (1 / 2.2) is infinitely steep, log2(x) infinitely
large), but their product has.  So bounds keep their form from one operation to the next,

    |x dr/dx| <= C |x|^p      (p = 0: relative errors; p = 1: absolute errors)
    |dr/dx| <= C 2^(q x)      of exponents and logarithms,

and a value has all of them that are known.  Outside `low` to `high` the result does not depend on the value at all:
channels are cut off at 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp, inf, isfinite, log, log2

from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction
from glslc_multi.compiler.records import dataclass, field

_LN_2 = log(2.0)
#: 2 to more than this is infinite.
_LARGEST_EXPONENT = 128.0
Bounds = Mapping[float, float]


@dataclass(frozen=True, slots=True)
class Gain:
    """Bounds of the derivative by a value."""

    #: p -> C and q -> C; a bound with q = 0 stands as p = 1.
    powers: Bounds
    exponentials: Bounds = field(default_factory=dict)
    low: float = -inf
    high: float = inf

    def within(self, range: Interval) -> Gain:
        """Return the same with what follows for a value that lies in a range."""
        low, high = max(self.low, range.low), min(self.high, range.high)
        powers = dict(self.powers)
        for q, factor in self.exponentials.items():
            _lower(powers, 1.0, factor * max(_power_of_2(q * low), _power_of_2(q * high)))
        reach = max(abs(low), abs(high))
        for p, factor in self.powers.items():
            if p > 1.0:
                _lower(powers, 1.0, factor * _raised(reach, p - 1.0))
        for p, factor in tuple(powers.items()):
            if p > 0.0 or low > 0.0:
                _lower(powers, 0.0, factor * _raised(reach if p > 0.0 else low, p))
        return Gain(powers, self.exponentials, low, high)

    def plus(self, other: Gain) -> Gain:
        """Return the gain of a value that two operations read."""
        return Gain(
            {p: self.powers[p] + other.powers[p] for p in self.powers if p in other.powers},
            {q: self.exponentials[q] + other.exponentials[q] for q in self.exponentials if q in other.exponentials},
            min(self.low, other.low),
            max(self.high, other.high),
        )

    def of_relative_error(self) -> float:
        """Return the change of the result by a relative error of the value, for one of 1."""
        return self.powers.get(0.0, inf)

    def of_logarithm(self, absolute: float, relative: float) -> float:
        """Return the change by an error of `absolute`, and of a part `relative` of the value, in a logarithm."""
        changes = [self.powers.get(1.0, inf) * absolute + self.powers.get(0.0, inf) * relative]
        for q, factor in self.exponentials.items():
            steepest = max(_power_of_2(q * self.low), _power_of_2(q * self.high))
            # |x| 2^(q x) is largest at an end, or on the falling side of 0 at this place.
            ends = [abs(x) * _power_of_2(q * x) for x in (self.low, self.high) if isfinite(x)]
            between = -1.0 / (q * _LN_2)
            inner = [1.0 / (exp(1.0) * abs(q) * _LN_2)] if self.low < between < self.high else []
            changes.append(factor * (absolute * steepest + relative * max([*ends, *inner], default=0.0)))
        return min(changes)


def _lower(bounds: dict[float, float], key: float, bound: float) -> None:
    if isfinite(bound):
        bounds[key] = min(bound, bounds.get(key, inf))


def _raised(base: float, exponent: float) -> float:
    """Return the power of a number that is not negative."""
    return base**exponent if base in (0.0, inf) else _power_of_2(exponent * log2(base))


def _power_of_2(exponent: float) -> float:
    return inf if exponent > _LARGEST_EXPONENT else 2.0**exponent


#: What a channel of bytes shows, a little more than 0 to 1: a value beyond may be there by its error.
CHANNEL = Gain({1.0: 1.0}, {}, -0.01, 1.01)


def gains_of_operands(instruction: Instruction, gain: Gain, ranges: list[Interval]) -> Iterator[Gain | None]:
    """List the gain of each operand by that of the result; None where nothing is known, no bounds where there is none.

    `ranges` are those of the operands.
    """
    op = instruction.op
    rule = _RULES.get(op)
    if rule is not None:
        yield rule(gain, ranges[0])
    elif op is ops.FADD:
        yield _of_term(gain, *ranges)
        yield _of_term(gain, *reversed(ranges))
    elif op is ops.FSUB:
        x, y = ranges
        yield _of_term(gain, x, Interval(-y.high, -y.low))
        yield _negated(_of_term(gain, Interval(-y.high, -y.low), x), y)
    elif op is ops.FMUL:
        if instruction.operands[0] is instruction.operands[1]:
            # Both uses count: each has half of 2 C |x|^(2 p).
            root = max(gain.high, 0.0) ** 0.5
            square = Gain({2.0 * p: factor for p, factor in gain.powers.items()}, {}, -root, root)
            yield from (square, square)
        else:
            yield _of_factor(gain, *ranges)
            yield _of_factor(gain, *reversed(ranges))
    elif op in _CHOICES:
        yield from (gain for _ in ranges)
    else:
        yield from (None for _ in ranges)


#: Results that are one of the operands; of conditions nothing is said, as no rule is of what they compare.
_CHOICES = frozenset({ops.FMIN, ops.FMAX, ops.PHI, ops.SELECT})


def _of_term(gain: Gain, x: Interval, other: Interval) -> Gain:
    """x of x + other: what sums of numbers that are not negative say of their terms."""
    is_whole_larger = x.low >= 0.0 and other.low >= 0.0
    powers = {p: factor for p, factor in gain.powers.items() if p == 1.0 or (is_whole_larger and p < 1.0)}
    exponentials = {
        q: factor * max(_power_of_2(q * other.low), _power_of_2(q * other.high))
        for q, factor in gain.exponentials.items()
    }
    low = gain.low - other.high if isfinite(other.high) else -inf
    high = gain.high - other.low if isfinite(other.low) else inf
    return Gain(powers, {q: factor for q, factor in exponentials.items() if isfinite(factor)}, low, high)


def _of_factor(gain: Gain, x: Interval, other: Interval) -> Gain:
    """x of x * other"""
    reach, least = max(abs(other.low), abs(other.high)), min(abs(other.low), abs(other.high))
    if other.low <= 0.0 <= other.high:
        least = 0.0
    powers = {0.0: gain.powers[0.0]} if 0.0 in gain.powers else {}
    for p, factor in gain.powers.items():
        end = reach if p > 0.0 else least
        if 0.0 < end < inf:
            powers[p] = factor * _raised(end, p)
    low, high = -inf, inf
    if least > 0.0:
        ends = (gain.low, gain.high) if other.low > 0.0 else (-gain.high, -gain.low)
        low, high = min(ends[0] / least, ends[0] / reach), max(ends[1] / least, ends[1] / reach)
    exponentials = {}
    if other.is_single and other.low:
        exponentials = {q * other.low: factor * reach for q, factor in gain.exponentials.items()}
    elif other.low > 0.0 and reach < inf:
        # 2^(q x y) is at most that for the least y where x is negative, and a constant times that above.
        above = max(min(high, x.high), 0.0) * (reach - least)
        exponentials = {
            q * least: factor * reach * _power_of_2(q * above) for q, factor in gain.exponentials.items() if q > 0.0
        }
    return Gain(powers, {q: factor for q, factor in exponentials.items() if isfinite(factor)}, low, high)


def _negated(gain: Gain, _: Interval) -> Gain:
    return Gain(gain.powers, {-q: factor for q, factor in gain.exponentials.items()}, -gain.high, -gain.low)


def _magnitude(gain: Gain, _: Interval) -> Gain:
    return Gain(gain.powers, {}, -gain.high, gain.high)


def _saturated(gain: Gain, _: Interval) -> Gain:
    return Gain(gain.powers, gain.exponentials, max(gain.low, CHANNEL.low), min(gain.high, CHANNEL.high))


def _power(gain: Gain, exponent: float, x: Interval) -> Gain:
    """x of x^exponent"""
    powers = {exponent * p: abs(exponent) * factor for p, factor in gain.powers.items()}
    low, high = -inf, inf
    if x.low >= 0.0:
        # Of a result that is not positive nothing follows.
        ends = [_raised(end, 1.0 / exponent) if end > 0.0 else None for end in (gain.low, gain.high)]
        smaller, larger = ends if exponent > 0.0 else ends[::-1]
        low, high = smaller or 0.0, larger or inf
    return Gain(powers, {}, low, high)


def _exponent(gain: Gain, _: Interval) -> Gain:
    """x of 2^x"""
    exponentials = {p: factor * _LN_2 for p, factor in gain.powers.items() if p}
    powers = {1.0: gain.powers[0.0] * _LN_2} if 0.0 in gain.powers else {}
    return Gain(
        powers, exponentials, log2(gain.low) if gain.low > 0.0 else -inf, log2(gain.high) if gain.high > 0.0 else inf
    )


def _antilogarithm(gain: Gain, _: Interval) -> Gain:
    """x of log2(x)"""
    powers = {q: factor / _LN_2 for q, factor in gain.exponentials.items()}
    if 1.0 in gain.powers:
        powers[0.0] = gain.powers[1.0] / _LN_2
    return Gain(powers, {}, _power_of_2(gain.low), _power_of_2(gain.high))


_RULES = {
    ops.FNEG: _negated,
    ops.FABS: _magnitude,
    ops.FSATURATE: _saturated,
    ops.FRCP: lambda gain, x: _power(gain, -1.0, x),
    ops.FSQRT: lambda gain, x: _power(gain, 0.5, x),
    ops.FRSQRT: lambda gain, x: _power(gain, -0.5, x),
    ops.FEXP2: _exponent,
    ops.FLOG2: _antilogarithm,
}
