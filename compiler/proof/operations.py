"""The arithmetic of a proof: every number is a float and an element of a field.

The float decides whatever is discrete: comparisons, floors, conversions, poles.  The element carries the algebra:
of sums, differences, products and quotients it is the field's; functions, of which nothing is known but their name,
are random oracles (`field.oracle`).  So the two sides of an identity have the same element, whatever they round.

What one side has decided of an element, the other one does not decide again.  A float of another element that lies so
near to a threshold that the first side may have seen it beyond raises `Redraw`: another draw decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from glslc_multi.compiler.arithmetic import elementary
from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.proof.field import PRIME, Element, element_of, inverse, oracle, root
from glslc_multi.compiler.proof.numbers import EDGE, NO_MEANING, Number, Redraw, Unsupported, is_constant, number_of
from glslc_multi.compiler.proof.quad import Lane
from glslc_multi.compiler.proof.words import WordOperations

Value = TypeVar("Value")
#: Above it a float32 is infinite.
_OVERFLOW = 2.0**128 - 2.0**103
#: Powers that are algebra: `exp2(c * log2(x))` for these c.
_POWERS = tuple(half / 2 for half in (*range(-8, 0), *range(1, 33)))
_FUNCTIONS: dict[str, Callable[..., float]] = elementary.FUNCTIONS
#: Roots that are multiplied with one another.
_ROOTS_MULTIPLIED = 24
_NOUGHT = number_of(0.0)
_LOG2_E, _LN_2 = round_to_float32(1.0 / math.log(2.0)), round_to_float32(math.log(2.0))


class Decisions:
    """What was decided of elements, on either side."""

    __slots__ = ("_first_roots", "_roots", "edges", "floors", "signs")

    def __init__(self) -> None:
        self.signs: dict[Element, int] = {}
        self.floors: dict[Element, int] = {}
        #: Whole numbers that the source has met at a floor, or nearly.
        self.edges: set[int] = set()
        #: Roots of elements, and of products of the first few of these.
        self._roots: dict[Element, Element] = {}
        self._first_roots: list[tuple[Element, Element]] = []

    def root(self, x: Element) -> Element:
        """The element of a root; that of a product is the product of the roots, if these were taken before."""
        found = self._roots.get(x)
        if found is None:
            found = root(x)
            if found is None:
                found = oracle("sqrt", x)
            self._roots[x] = found
            if len(self._first_roots) < _ROOTS_MULTIPLIED:
                for other, other_root in self._first_roots:
                    self._roots.setdefault(x * other % PRIME, found * other_root % PRIME)
                self._first_roots.append((x, found))
        return found

    def take(self, difference: Element, sign: int) -> None:
        self.signs[difference] = sign
        self.signs[-difference % PRIME] = -sign


class ProofOperations(WordOperations):
    """`glslc_multi.compiler.arithmetic.operations.LaneOperations` on one lane.  Ints and bools are those of Python."""

    __slots__ = ("_decisions", "_logarithms", "_margin", "closeness", "lane")
    #: Whether this side decides first.
    decides = False

    def __init__(self, decisions: Decisions, closeness: float, lane: Lane) -> None:
        self.lane = lane
        #: Up to which relative difference two numbers may change their order on the other side.
        self.closeness = closeness
        #: Differences beyond it are decided by floats alone; what decides first keeps a little more than is looked up.
        self._margin = 4.0 * closeness if self.decides else closeness
        self._decisions = decisions
        #: The element of a logarithm, and its operand.
        self._logarithms: dict[Element, Number] = {}

    # --- Constants and conversions ------------------------------------------------------------------------------------

    def fconst(self, value: float) -> Number:  # type: ignore[override]
        return number_of(round_to_float32(value))

    def dconst(self, value: float) -> Number:
        return number_of(value)

    def lconst(self, value: int) -> int:
        return value

    def widened(self, x: Number | int) -> Number | int:
        return x

    narrowed = widened

    def extended(self, x: int) -> int:
        return x % 2**32

    def itod(self, x: int) -> Number:
        return number_of(float(x))

    def ftoi(self, x: Number) -> int:  # type: ignore[override]
        if not (self._are_numbers(x, x) and math.isfinite(x.value)):
            return super().ftoi(x.value)
        whole = self._floor(x)
        is_cut_up = whole < 0 and self.flt(number_of(float(whole)), x)
        return super().ftoi(float(whole + is_cut_up))

    dtol = ftoi

    def is_float(self, x: object) -> bool:
        return isinstance(x, Number)

    # --- Floats: algebra ----------------------------------------------------------------------------------------------

    def fadd(self, x: Number, y: Number) -> Number:  # type: ignore[override]
        return Number(_finite(x.value + y.value), (x.element + y.element) % PRIME)

    def fsub(self, x: Number, y: Number) -> Number:  # type: ignore[override]
        return Number(_finite(x.value - y.value), (x.element - y.element) % PRIME)

    def fmul(self, x: Number, y: Number) -> Number:  # type: ignore[override]
        return Number(_finite(x.value * y.value), (x.element * y.element) % PRIME)

    def fdiv(self, x: Number, y: Number) -> Number:  # type: ignore[override]
        if y.value:
            value = _finite(x.value / y.value)
        else:
            value = super().fdiv(x.value, y.value)
        element = x.element * inverse(y.element) % PRIME if y.element else oracle("quotient", x.element)
        return Number(value, element)

    def fneg(self, x: Number) -> Number:  # type: ignore[override]
        return Number(-x.value, -x.element % PRIME)

    def fabs(self, x: Number) -> Number:  # type: ignore[override]
        return self.fneg(x) if self._is_negative(x) else x

    def copysign(self, x: Number, y: Number) -> Number:
        negative = math.copysign(1.0, y.value) < 0 if y.value == 0 else self._is_negative(y)
        return x if negative == (math.copysign(1.0, x.value) < 0) else self.fneg(x)

    def fsqrt(self, x: Number) -> Number:  # type: ignore[override]
        value = math.sqrt(x.value) if x.value >= 0.0 else math.nan
        if is_constant(x) and math.isfinite(value):
            return number_of(round_to_float32(value))
        return Number(value, self._decisions.root(x.element))

    # --- Floats: what the value decides -------------------------------------------------------------------------------

    def _is_negative(self, x: Number) -> bool:
        return x.value == x.value and self._order(x, _NOUGHT) < 0

    def _order(self, x: Number, y: Number) -> int:
        """-1, 0 or 1: whether x is below y, the same or above."""
        p, q = x.value, y.value
        gap, sizes = p - q, abs(p) + abs(q)
        size = abs(gap)
        # Only where values are near is it their elements that decide: floats 2^61 apart have the same one, and roots
        # may have the other sign.
        if size > self._margin and size > self._margin * sizes:
            return 1 if gap > 0.0 else -1
        difference = (x.element - y.element) % PRIME
        found = self._decisions.signs.get(difference) if difference else 0
        is_near = size <= self.closeness * max(abs(p), abs(q)) < math.inf
        if found is not None and (is_near or size == sizes <= self.closeness):
            return found
        if self.decides:
            self._decisions.take(difference, _sign(gap))
        elif is_near and gap:
            raise Redraw(EDGE)
        return _sign(gap)

    def _are_numbers(self, x: Number, y: Number) -> bool:
        """Whether neither is NaN."""
        if x.value == x.value and y.value == y.value:
            return True
        if self.decides or self.lane.is_alone:
            raise Redraw(NO_MEANING)
        return False

    def flt(self, x: Number, y: Number) -> bool:  # type: ignore[override]
        return self._are_numbers(x, y) and self._order(x, y) < 0

    def fle(self, x: Number, y: Number) -> bool:  # type: ignore[override]
        return self._are_numbers(x, y) and self._order(x, y) <= 0

    def feq(self, x: Number, y: Number) -> bool:  # type: ignore[override]
        return self._are_numbers(x, y) and self._order(x, y) == 0

    def ffloor(self, x: Number) -> Number:  # type: ignore[override]
        return number_of(float(self._floor(x))) if math.isfinite(x.value) else x

    def _floor(self, x: Number) -> int:
        whole = math.floor(x.value)
        is_near = abs(x.value - round(x.value)) <= self.closeness * max(1.0, abs(x.value))
        if self.decides:
            if is_near:
                self._decisions.edges.add(round(x.value))
            return self._decisions.floors.setdefault(x.element, whole)
        if is_near and not is_constant(x):
            found = self._decisions.floors.get(x.element)
            if found is not None:
                return found
            # A sum of places of pixels is whole, and no rounding has a part in it.
            if x.value != whole or whole in self._decisions.edges:
                raise Redraw(EDGE)
        return whole

    def stray(self, numbers: Sequence[Number], low: float, high: float) -> bool:
        return any(x.value and not low <= abs(x.value) < high for x in numbers if not self._is_unseen(x))

    def below(self, x: Number, low: float) -> bool:
        return not abs(x.value) >= low and not self._is_unseen(x)

    def _is_unseen(self, x: Number) -> bool:
        """Whether it may come of what a lane does not get to see: to stay so, it must not become what a NaN becomes."""
        return self.lane.is_alone and x.value != x.value

    # --- Functions ----------------------------------------------------------------------------------------------------

    def exp2(self, x: Number) -> Number:
        if self._logarithms and not is_constant(x):
            for part, power in _PARTS.items():
                operand = self._logarithms.get(x.element * part % PRIME)
                if operand is not None:
                    return self._power(operand, power)
        return self._function("exp2", x)

    def _power(self, x: Number, exponent: float) -> Number:
        """x to the power of a multiple of a half."""
        base = x.element if exponent == int(exponent) else self._decisions.root(x.element)
        count = int(exponent if exponent == int(exponent) else 2 * exponent)
        if count < 0:
            base, count = inverse(base), -count
        element: Element = 1
        for _ in range(count):
            element = element * base % PRIME
        return Number(_FUNCTIONS["pow"](x.value, exponent), element)

    def log2(self, x: Number) -> Number:
        found = self._function("log2", x)
        if found.element and not is_constant(found):
            self._logarithms[found.element] = x
        return found

    def elementary(self, name: str, *arguments: Number) -> Number:  # type: ignore[override]
        match name:
            case "exp2":
                return self.exp2(*arguments)
            case "log2":
                return self.log2(*arguments)
            case "exp":
                return self.exp2(self.fmul(arguments[0], self.fconst(_LOG2_E)))
            case "log":
                return self.fmul(self.log2(*arguments), self.fconst(_LN_2))
            case "pow":
                x, y = arguments
                power = self.exp2(self.fmul(y, self.log2(x)))
                return Number(_FUNCTIONS["pow"](x.value, y.value), power.element)
            case "tan":
                return self.fdiv(self._function("sin", *arguments), self._function("cos", *arguments))
            case _:
                return self._function(name, *arguments)

    def _function(self, name: str, *arguments: Number) -> Number:
        value = _FUNCTIONS[name](*(x.value for x in arguments))
        if math.isfinite(value) and all(map(is_constant, arguments)):
            return number_of(round_to_float32(value))
        return Number(value, oracle(name, *(x.element for x in arguments)))

    # --- Ints ---------------------------------------------------------------------------------------------------------

    def imin(self, x: int, y: int) -> int:
        return min(x, y)

    def imax(self, x: int, y: int) -> int:
        return max(x, y)

    def umin(self, x: int, y: int) -> int:
        return y if self.ult(y, x) else x

    def umax(self, x: int, y: int) -> int:
        return y if self.ult(x, y) else x

    def iabs(self, x: int) -> int:
        return abs(x)

    def leading_zeros(self, x: int) -> int:
        return 32 - (x % 2**32).bit_length()

    # --- Lanes --------------------------------------------------------------------------------------------------------

    def unless(self, rare: bool, usual: Sequence[Value], compute: Callable[[], Sequence[Value]]) -> Sequence[Value]:
        return compute() if rare else usual

    def never(self, mask: bool) -> bool:
        return not mask

    def half_to_float(self, x: int) -> Number:
        raise Unsupported("halves")

    def float_to_half(self, x: Number) -> int:
        raise Unsupported("halves")

    def permuted(self, x: Any, order: Sequence[int]) -> Any:
        return self.lane.permuted(x, order)


class SourceOperations(ProofOperations):
    """The same for the source, where nothing may depend on what GLSL leaves undefined, which is NaN."""

    __slots__ = ()
    decides = True


class MovedOperations(SourceOperations):
    """The same where functions and their operands are moved by a rounding, as machines approximate them, and every
    result by a step of a fixed point."""

    __slots__ = ("_random", "_step")

    def __init__(self, decisions: Decisions, rounding: float, lane: Lane, step: float, seed: int) -> None:
        super().__init__(decisions, rounding, lane)
        self._step = step
        self._random = Random(seed << 2 | lane.number)

    def _moved(self, x: Number, size: float) -> Number:
        if not size:
            return x
        # Of any size: what turns with a period must not come back to where it was.
        return Number(x.value + self._random.choice((-size, size)) * self._random.uniform(0.5, 1.0), x.element)

    def fmul(self, x: Number, y: Number) -> Number:  # type: ignore[override]
        return self._moved(super().fmul(x, y), self._step)

    def fdiv(self, x: Number, y: Number) -> Number:  # type: ignore[override]
        """It may be a product with a reciprocal that was rounded."""
        return self._moved(super().fdiv(x, y), self._step * max(1.0, abs(x.value)))

    def fsqrt(self, x: Number) -> Number:  # type: ignore[override]
        return self._moved(super().fsqrt(x), self._step)

    def elementary(self, name: str, *arguments: Number) -> Number:  # type: ignore[override]
        # Operands have been rounded, too: of a sine far from 0, that is more than its own rounding.
        moved = [self._moved(x, self.closeness * abs(x.value)) for x in arguments]
        found = super().elementary(name, *moved)
        return self._moved(found, self._step + self.closeness * abs(found.value))


def _sign(x: float) -> int:
    return (x > 0.0) - (x < 0.0)


def _finite(x: float) -> float:
    """The double as float32 has it: infinite from its overflow on."""
    return x if -_OVERFLOW < x < _OVERFLOW else math.copysign(math.inf, x) if x == x else x


#: What takes a power of a half back to 1, and the power.
_PARTS = {inverse(element_of(power)): power for power in _POWERS}
