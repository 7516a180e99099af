"""float32 arithmetic from first principles, as a witness: exact fractions, rounded once.

Nothing here uses the compiler or relies on how the machine rounds: numbers are fractions, elementary
functions are series in 90-digit decimals.  A float32 is held as a Python float of the same value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from fractions import Fraction

NAN, INF = math.nan, math.inf
_CONTEXT = Context(prec=90, Emin=-(10**6), Emax=10**6)
LARGEST = (2 - Fraction(1, 2**23)) * 2**127


def nearest(exact: Fraction, zero_sign: float = 1.0) -> float:
    """The float32 nearest to an exact value, ties to even (IEEE 754 section 4.3.1)."""
    if exact == 0:
        return math.copysign(0.0, zero_sign)
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    step = Fraction(2) ** (max(exponent, -126) - 23)
    rounded = round(exact / step) * step
    if abs(rounded) > LARGEST:
        return math.copysign(INF, exact)
    return math.copysign(float(rounded), exact)


def _finite(*values: float) -> bool:
    return all(math.isfinite(value) for value in values)


def add(x: float, y: float) -> float:
    if not _finite(x, y):
        return x + y
    both_negative = math.copysign(1, x) < 0 and math.copysign(1, y) < 0
    return nearest(Fraction(x) + Fraction(y), -1.0 if both_negative else 1.0)


def neg(x: float) -> float:
    return -x


def sub(x: float, y: float) -> float:
    return add(x, -y)


def mul(x: float, y: float) -> float:
    if not _finite(x, y):
        return x * y
    return nearest(Fraction(x) * Fraction(y), math.copysign(1, x) * math.copysign(1, y))


def div(x: float, y: float) -> float:
    sign = math.copysign(1, x) * math.copysign(1, y)
    if math.isnan(x) or math.isnan(y) or (math.isinf(x) and math.isinf(y)) or (x == 0 and y == 0):
        return NAN
    if math.isinf(x) or y == 0:
        return sign * INF
    if math.isinf(y):
        return sign * 0.0
    return nearest(Fraction(x) / Fraction(y), sign)


def sqrt(x: float) -> float:
    if math.isnan(x) or x < 0:
        return NAN
    if x == 0 or math.isinf(x):
        return x
    # 2**-400 is far below half a step of any root, and a root is never halfway between two floats.
    exact = Fraction(x) * 4**400
    return nearest(Fraction(math.isqrt(exact.numerator // exact.denominator), 2**400))


def floor(x: float) -> float:
    """The largest integer not above x; keeps -0.0, infinities and NaN."""
    if not _finite(x) or x == 0:
        return x
    whole = Fraction(x).numerator // Fraction(x).denominator
    return math.copysign(float(whole), x)


# ---------------------------------------------------------------------------- elementary functions
def _decimal(x: float) -> Decimal:
    return Decimal(x)


def _series(first: Decimal, ratio: Callable[[int], Decimal]) -> Decimal:
    """first * (1 + r1 + r1 r2 + ...), until a term no longer counts."""
    total, term, index = first, first, 1
    while term and abs(term) > abs(total) * Decimal("1e-88"):
        term *= ratio(index)
        total += term
        index += 1
    return total


def _arctan(x: Decimal) -> Decimal:
    """Halve the angle until the series is short, then double the result as often."""
    halvings = 0
    while abs(x) > Decimal("0.05"):
        x = x / (1 + (1 + x * x).sqrt())
        halvings += 1
    square, total, power, index = x * x, x, x, 1
    while power and abs(power) > Decimal("1e-88") * abs(total):
        power = -power * square
        index += 2
        total += power / index
    return total * Decimal(2) ** halvings


with localcontext(_CONTEXT):
    _PI = 4 * _arctan(Decimal(1))


def _sin_cos(x: Decimal) -> tuple[Decimal, Decimal]:
    quarter = _PI / 2
    turns = (x / quarter).to_integral_value()
    rest = x - turns * quarter
    square = rest * rest
    sine = _series(rest, lambda k: -square / (2 * k * (2 * k + 1)))
    cosine = _series(Decimal(1), lambda k: -square / (2 * k * (2 * k - 1)))
    quadrant = int(turns % 4)
    return ((sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine))[quadrant]


def _rounded(value: Decimal) -> float:
    """The nearest double, rounded to float32: elementary functions are defined in double precision."""
    if value and value.adjusted() > 60:
        return math.copysign(INF, value)
    double = float(value)
    return nearest(Fraction(double), math.copysign(1, double))


def _with_digits(compute: Callable[..., Decimal]) -> Callable[..., float]:
    def rounded(*arguments: float) -> float:
        with localcontext(_CONTEXT):
            return _rounded(compute(*map(_decimal, arguments)))

    return rounded


_exp = _with_digits(lambda x: x.exp())
_exp2 = _with_digits(lambda x: (x * Decimal(2).ln()).exp())
_log = _with_digits(lambda x: x.ln())
_log2 = _with_digits(lambda x: x.ln() / Decimal(2).ln())
_pow = _with_digits(lambda x, y: (y * x.ln()).exp())
_sin = _with_digits(lambda x: _sin_cos(x)[0])
_cos = _with_digits(lambda x: _sin_cos(x)[1])
_tan = _with_digits(lambda x: _sin_cos(x)[0] / _sin_cos(x)[1])
_atan = _with_digits(_arctan)
_asin = _with_digits(lambda x: 2 * _arctan(x / (1 + (1 - x * x).sqrt())))
_acos = _with_digits(lambda x: 2 * _arctan((1 - x * x).sqrt() / (1 + x)) if x > -1 else _PI)


@_with_digits
def _atan2(y: Decimal, x: Decimal) -> Decimal:
    if x > 0:
        return _arctan(y / x)
    if x < 0:
        return _arctan(y / x) + (_PI if not y.is_signed() else -_PI)
    return _PI / 2 if y > 0 else -_PI / 2


def _growing(compute: Callable[[float], float]) -> Callable[[float], float]:
    """exp and exp2: far out the answer is 0 or infinity, and the series need not be asked."""

    def value(x: float) -> float:
        if math.isnan(x):
            return NAN
        if abs(x) > 1000:
            return INF if x > 0 else 0.0
        return compute(x)

    return value


def _logarithm(compute: Callable[[float], float]) -> Callable[[float], float]:
    def value(x: float) -> float:
        if math.isnan(x) or x < 0:
            return NAN
        if x == 0:
            return -INF
        return x if math.isinf(x) else compute(x)

    return value


def _periodic(compute: Callable[[float], float], keeps_zero: bool) -> Callable[[float], float]:
    def value(x: float) -> float:
        if not _finite(x):
            return NAN
        return x if keeps_zero and x == 0 else compute(x)

    return value


def _inverse(compute: Callable[[float], float], keeps_zero: bool) -> Callable[[float], float]:
    def value(x: float) -> float:
        if math.isnan(x) or abs(x) > 1:
            return NAN
        return x if keeps_zero and x == 0 else compute(x)

    return value


exp, exp2 = _growing(_exp), _growing(_exp2)
log, log2 = _logarithm(_log), _logarithm(_log2)
sin, cos, tan = _periodic(_sin, True), _periodic(_cos, False), _periodic(_tan, True)
asin, acos = _inverse(_asin, True), _inverse(_acos, False)


def atan(x: float) -> float:
    if math.isnan(x) or x == 0:
        return x
    if math.isinf(x):
        return math.copysign(nearest(Fraction(math.pi) / 2), x)
    return _atan(x)


def pow_(x: float, y: float) -> float:
    """x to the y where GLSL ES 1.00 section 8.2 defines it; the limits beyond."""
    if math.isnan(x) or math.isnan(y) or x < 0:
        return NAN
    if x == 0 or math.isinf(x) or math.isinf(y):
        return _power_limit(x, y)
    grown = y * math.log2(x)
    if abs(grown) > 1000:
        return INF if grown > 0 else 0.0
    return _pow(x, y)


def _power_limit(x: float, y: float) -> float:
    """x to the y where one of them is 0 or infinite: 1 where nothing pulls, else 0 or infinity."""
    if y == 0 or x == 1:
        return 1.0
    grows = (x > 1) == (y > 0)
    return INF if grows else 0.0


def atan2(y: float, x: float) -> float:
    if math.isnan(x) or math.isnan(y):
        return NAN
    if not _finite(x, y) or y == 0 or (x == 0 and y == 0):
        return _axis_angle(y, x)
    return _atan2(y, x)


def _axis_angle(y: float, x: float) -> float:
    """The angle where a coordinate is infinite or the point lies on the x axis (multiples of 45 degrees)."""
    eighths = 0
    if math.isinf(y):
        eighths = 2 if not math.isinf(x) else (1 if x > 0 else 3)
    elif math.copysign(1, x) < 0:
        eighths = 4
    return math.copysign(nearest(Fraction(math.pi) * eighths / 4), y)
