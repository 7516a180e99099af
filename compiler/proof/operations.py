"""The arithmetic of a proof: every number is a float and an element of a field.

The float decides whatever is discrete: comparisons, floors, conversions, poles.  The element carries the algebra:
of sums, differences, products and quotients it is the field's; functions, of which nothing is known but their name,
are random oracles (`field.oracle`).  So the two sides of an identity have the same element, whatever they round.

A float that lies so near to a threshold that the other side may see it beyond raises `Redraw`: another draw decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from compiler.arithmetic import elementary
from compiler.arithmetic.protocol import PYTHON, PythonArithmetic, round_to_float32
from compiler.proof.field import PRIME, Element, element_of, inverse, oracle, root

Value = TypeVar("Value")
#: Above it a float32 is infinite.
_OVERFLOW = 2.0**128 - 2.0**103


class Redraw(Exception):
    """These inputs lie on an edge that the two sides may see from different sides."""


class Unsupported(Exception):
    """What no proof can speak of yet; the reason in words."""


class Number:
    """A float, and the element that it stands for."""

    __slots__ = ("element", "value")

    def __init__(self, value: float, element: Element) -> None:
        self.value = value
        self.element = element

    def __repr__(self) -> str:
        return f"{self.value!r} ({self.element:x})" if isinstance(self.element, int) else repr(self.value)


class Bits(int):
    """The bits of a float, and the float that they are of: whoever only moves them loses nothing."""

    origin: Number

    @classmethod
    def of(cls, x: Number) -> Bits:
        found = cls(PYTHON.bits(round_to_float32(x.value)))
        found.origin = x
        return found


def number_of(value: float) -> Number:
    """A constant."""
    if not math.isfinite(value):
        return Number(value, oracle("constant", repr(value)))
    return Number(value, element_of(value))


def is_constant(x: Number) -> bool:
    """Whether the element is the float's own, so that no input has come in."""
    return math.isfinite(x.value) and element_of(x.value) == x.element


#: What GLSL leaves undefined.
UNDEFINED = Number(math.nan, oracle("undefined"))


#: Powers that are algebra: `exp2(c * log2(x))` for these c.
_POWERS = tuple(half / 2 for half in (*range(-8, 0), *range(1, 33)))
_FUNCTIONS: dict[str, Callable[..., float]] = elementary.FUNCTIONS
_LOG2_E, _LN_2 = round_to_float32(1.0 / math.log(2.0)), round_to_float32(math.log(2.0))


class ProofOperations(PythonArithmetic):
    """`compiler.arithmetic.operations.LaneOperations` on one lane.  Ints and bools are those of Python."""

    __slots__ = ("_logarithms", "closeness")

    def __init__(self, closeness: float) -> None:
        #: Up to which relative difference two numbers may change their order on the other side.
        self.closeness = closeness
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

    def itof(self, x: int) -> Number:  # type: ignore[override]
        return number_of(round_to_float32(float(x)))

    def itod(self, x: int) -> Number:
        return number_of(float(x))

    def ftoi(self, x: Number) -> int:  # type: ignore[override]
        if not math.isfinite(x.value):
            return super().ftoi(x.value)
        self._check_step(x)
        return super().ftoi(x.value)

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
        if not y.element:
            return Number(super().fdiv(x.value, y.value), oracle("quotient", x.element))
        return Number(super().fdiv(x.value, y.value), x.element * inverse(y.element) % PRIME)

    def fneg(self, x: Number) -> Number:  # type: ignore[override]
        return Number(-x.value, -x.element % PRIME)

    def fabs(self, x: Number) -> Number:  # type: ignore[override]
        return self.fneg(x) if self._is_negative(x) else x

    def copysign(self, x: Number, y: Number) -> Number:
        negative = math.copysign(1.0, y.value) < 0 if y.value == 0 else self._is_negative(y)
        return x if negative == (math.copysign(1.0, x.value) < 0) else self.fneg(x)

    def fsqrt(self, x: Number) -> Number:  # type: ignore[override]
        value = super().fsqrt(x.value)
        if is_constant(x) and math.isfinite(value):
            return number_of(value)
        found = root(x.element)
        return Number(value, oracle("sqrt", x.element) if found is None else found)

    # --- Floats: what the value decides -------------------------------------------------------------------------------

    def _is_negative(self, x: Number) -> bool:
        return x.value < 0

    def _differ(self, x: Number, y: Number) -> bool:
        """Whether two numbers are different; raises where only one of the sides may find them so."""
        if x.element == y.element:
            return False
        gap = abs(x.value - y.value)
        if 0.0 < gap < math.inf and gap <= self.closeness * max(abs(x.value), abs(y.value)):
            raise Redraw
        return True

    def flt(self, x: Number, y: Number) -> bool:  # type: ignore[override]
        return x.value < y.value and self._differ(x, y)

    def fle(self, x: Number, y: Number) -> bool:  # type: ignore[override]
        if x.value <= y.value:
            return True
        return x.value > y.value and not self._differ(x, y)

    def feq(self, x: Number, y: Number) -> bool:  # type: ignore[override]
        if x.value == y.value:
            return True
        return x.value == x.value and y.value == y.value and not self._differ(x, y)

    def ffloor(self, x: Number) -> Number:  # type: ignore[override]
        if not math.isfinite(x.value):
            return x
        self._check_step(x)
        return number_of(float(math.floor(x.value)))

    def _check_step(self, x: Number) -> None:
        """Raise where the nearest whole number may lie on the other side."""
        gap = abs(x.value - round(x.value))
        if gap <= self.closeness * max(1.0, abs(x.value)) and (gap or not is_constant(x)):
            raise Redraw

    def stray(self, numbers: Sequence[Number], low: float, high: float) -> bool:
        return any(x.value and not low <= abs(x.value) < high for x in numbers)

    def below(self, x: Number, low: float) -> bool:
        return not abs(x.value) >= low

    # --- Functions ----------------------------------------------------------------------------------------------------

    def exp2(self, x: Number) -> Number:
        if not is_constant(x):
            for logarithm, operand in self._logarithms.items():
                ratio = x.element * inverse(logarithm) % PRIME
                if isinstance(ratio, int) and ratio in _POWER_OF:
                    return self._power(operand, _POWER_OF[ratio])
        return self._function("exp2", x)

    def _power(self, x: Number, exponent: float) -> Number:
        """x to the power of a multiple of a half."""
        base: Element | None = x.element if exponent == int(exponent) else root(x.element)
        if base is None:
            base = oracle("sqrt", x.element)
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

    def bits(self, x: Number) -> int:  # type: ignore[override]
        return Bits.of(x)

    def number(self, x: int) -> Number:  # type: ignore[override]
        """The float that the bits were made of; of others, which are no algebra, the number alone."""
        return x.origin if isinstance(x, Bits) else number_of(super().number(x))

    def half_to_float(self, x: int) -> Number:
        raise Unsupported("halves")

    def float_to_half(self, x: Number) -> int:
        raise Unsupported("halves")

    def permuted(self, x: Number, order: Sequence[int]) -> Number:
        raise Unsupported("other lanes")


class SourceOperations(ProofOperations):
    """The same for the source, where nothing may depend on what GLSL leaves undefined, which is NaN."""

    __slots__ = ()

    def flt(self, x: Number, y: Number) -> bool:  # type: ignore[override]
        _check_defined(x, y)
        return super().flt(x, y)

    def fle(self, x: Number, y: Number) -> bool:  # type: ignore[override]
        _check_defined(x, y)
        return super().fle(x, y)

    def feq(self, x: Number, y: Number) -> bool:  # type: ignore[override]
        _check_defined(x, y)
        return super().feq(x, y)

    def ftoi(self, x: Number) -> int:  # type: ignore[override]
        _check_defined(x)
        return super().ftoi(x)


def _check_defined(*numbers: Number) -> None:
    if any(math.isnan(x.value) for x in numbers):
        raise Redraw


def _finite(x: float) -> float:
    """The double as float32 has it: infinite from its overflow on."""
    return x if -_OVERFLOW < x < _OVERFLOW else math.copysign(math.inf, x) if x == x else x


_POWER_OF = {element_of(power): power for power in _POWERS}
